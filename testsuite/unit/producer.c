/*
 * What DW_AT_producer says, as GCC 11 to 16 write it.
 */
#include "converter/binary/producer.h"
#include "testsuite/lib/tap.h"

#define GNU  "GNU C17 12.2.0 -mtune=generic -march=x86-64 "
#define OURS " -fplugin=/usr/lib/gcc/x86_64-linux-gnu/12/plugin/samplefdo.so"

static bool crossjumping(const char *text)
{
	return producer_of(text).crossjumping;
}

static bool frontiers(const char *text)
{
	return producer_of(text).frontiers;
}

static void who(void)
{
	check(!producer_of(NULL).is_gcc && !producer_of("").is_gcc &&
		      !producer_of("clang version 19.1.7").is_gcc,
	      "not GCC");
	check(producer_of(GNU).is_gcc && producer_of("GNU GIMPLE 12").is_gcc,
	      "GCC, of a source and of what was written for the linker");
	check(!producer_of(GNU "-g").optimizes &&
		      !producer_of(GNU "-O2 -O0").optimizes &&
		      producer_of(GNU "-O0 -O3").optimizes &&
		      producer_of(GNU "-Og").optimizes,
	      "the last level counts");
}

static void statements(void)
{
	check(frontiers(GNU "-g -O2") && frontiers(GNU "-g1 -g3"), "-g");
	check(!frontiers(GNU "-g1 -O2") && !frontiers(GNU "-ggdb1"), "-g1");
	check(frontiers(GNU "-gstatement-frontiers -g1") &&
		      !frontiers(GNU "-gno-statement-frontiers -g"),
	      "what is asked for");
}

static void tails(void)
{
	check(crossjumping(NULL) && crossjumping(GNU "-O2"), "merged");
	check(!crossjumping(GNU "-O2 -fno-crossjumping") &&
		      crossjumping(GNU "-fno-crossjumping -fcrossjumping"),
	      "not if it is asked for");
	check(!crossjumping(GNU "-O2" OURS) &&
		      !crossjumping(GNU "-O2 -fplugin=samplefdo") &&
		      !crossjumping(GNU "-fplugin=./samplefdo.so -O2"),
	      "nor with our plugin");
	check(crossjumping(GNU "-Os" OURS) &&
		      crossjumping(GNU "-O2 -fcrossjumping" OURS) &&
		      !crossjumping(GNU "-Os -O2" OURS),
	      "but for size, or if it is asked for");
	check(crossjumping(GNU "-fplugin=annobin") &&
		      crossjumping(GNU "-fplugin=samplefdo/other.so") &&
		      crossjumping(GNU "-fplugin=notsamplefdo.so") &&
		      crossjumping(GNU "-fplugin="),
	      "another plugin is not ours");
}

int main(void)
{
	who();
	statements();
	tails();
	return done();
}
