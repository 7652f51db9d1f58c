/* The arithmetic of svr-train, on cases that can be done by hand. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "svr-train/classes.h"
#include "svr-train/metrics.h"
#include "svr-train/role.h"
#include "svr-train/study.h"
#include "svr-train/table.h"
#include "svr-train/training.h"
#include "testsuite/lib/tap.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

static void test_metrics(void)
{
	const double truth[] = { 0, 1, 2, 5 }, good[] = { 0, 2, 4, 10 };
	const double bad[] = { 3, 1, 1, -4 }, ties[] = { 1, 1, 2, 3 };
	struct metrics m = metrics_of(truth, truth, 4);

	check(near(m.error, 0) && near(m.r2, 1) && near(m.spearman, 1) &&
		      near(m.overlap, 1),
	      "what is right is right by all measures");
	m = metrics_of(good, truth, 4);
	check(near(m.error, 2), "mean absolute error: 8 / 4");
	check(near(m.r2, 1 - 30.0 / 14), "R^2: squares 30, variance 14");
	check(near(m.overlap, 1) && near(m.spearman, 1),
	      "a factor changes neither shares nor ranks");
	m = metrics_of(bad, truth, 4);
	check(near(m.overlap, 1 / 8.0 + 1 / 5.0),
	      "overlap: min(1/5, 1/8) + min(1/5, 2/8), and nothing below 0");
	m = metrics_of(ties, truth, 4);
	check(near(m.spearman, 4.5 / sqrt(4.5 * 5)),
	      "ties share the mean of their ranks");
	m = metrics_of(truth, (double[]){ 3, 3, 3, 3 }, 4);
	check(near(m.r2, 0) && near(m.spearman, 0),
	      "without variance there is no fit");
}

static void test_likeness(void)
{
	const double two[] = { 1, 0.8, 0.8, 1 };
	const double three[] = { 1, 1, 0, 1, 1, 0, 0, 0, 1 };
	double inflation[3];

	metrics_inflation(two, 2, inflation);
	check(near(inflation[0], 1 / 0.36) && near(inflation[1], 1 / 0.36),
	      "inflation is 1 / (1 - r^2)");
	check(near(metrics_condition(two, 2), 3),
	      "condition: the root of 1.8 / 0.2");
	metrics_inflation(three, 3, inflation);
	check(isinf(inflation[0]) && isinf(inflation[1]) &&
		      near(inflation[2], 1),
	      "two equal events are dependent, a third one is not");
	check(isinf(metrics_condition(three, 3)), "and the whole is singular");
	check(near(metrics_correlation((double[]){ 1, 2, 3 },
				       (double[]){ 6, 4, 2 }, 3),
		   -1),
	      "a line that falls is correlation -1");
}

static void test_roles(void)
{
	const char *const events[] = { "instructions:u", "x", "x:7" };
	struct role roles[3] = { { ROLE_INST, 1 },
				 { ROLE_STALL, 1 },
				 { ROLE_STALL, 1 } };
	struct fdo_error err;

	check(role_of("instructions:u").kind == ROLE_INST &&
		      role_of("INST_RETIRED.ANY").kind == ROLE_INST &&
		      role_of("cpu_core/cycles/u").kind == ROLE_CYCLES &&
		      role_of("CPU_CLK_UNHALTED").kind == ROLE_CYCLES &&
		      role_of("br_inst_retired.all").kind == ROLE_STALL,
	      "roles by the names that perf prints");
	check(role_of("instructions/period=2000003/u").kind == ROLE_INST &&
		      role_of("cycles/period=1500007/u").kind == ROLE_CYCLES &&
		      role_of("ibs_op/cnt_ctl=1/").kind == ROLE_INST &&
		      role_of("branch-steps").kind == ROLE_OTHER &&
		      role_of("page-faults:u").kind == ROLE_OTHER &&
		      role_of("inst").kind == ROLE_INST,
	      "and those that are recorded with a period, or step");
	check(role_set("other=x:1009", events, roles, 3, &err) &&
		      roles[1].kind == ROLE_OTHER && roles[1].period == 1009,
	      "a role and a period");
	check(role_set("cycles=x:7", events, roles, 3, &err) &&
		      roles[2].kind == ROLE_CYCLES && roles[2].period == 1,
	      "a name that looks like one with a period is a name");
	check(role_set("inst=instructions:u:99", events, roles, 3, &err) &&
		      roles[0].period == 99,
	      "colons in a name");
	check(!role_set("stall", events, roles, 3, &err) &&
		      !role_set("cost=x", events, roles, 3, &err) &&
		      !role_set("inst=y", events, roles, 3, &err) &&
		      !role_set("inst=x:0", events, roles, 3, &err) &&
		      !role_set("inst=x:9x", events, roles, 3, &err),
	      "what is none");
}

/* Read a table from text. */
static struct tables *read_text(const char *text, struct fdo_error *err)
{
	char path[] = "/tmp/svr-XXXXXX";
	const char *paths[] = { path };
	int fd = mkstemp(path);
	struct tables *ret;

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
	ret = tables_read(paths, 1, err);
	unlink(path);
	return ret;
}

#define HEADER "function\taddress\tinstructions\tinst\tcycles\tstall\ttrue\n"
enum { CYCLES, INST, STALL }; /* events are in the order of their names */

/* Many equal blocks, so that there are enough. */
static char *repeat(const char *lines, int n)
{
	size_t size = strlen(HEADER) + n * strlen(lines) + 1;
	char *text = fdo_alloc(size, 1);

	strcpy(text, HEADER);
	for (int i = 0; i < n; i++)
		strcat(text, lines);
	return text;
}

static struct training *train_text(const char *lines, struct tables **tables)
{
	struct fdo_error err;
	char *text = repeat(lines, 20);
	struct training *ret;

	*tables = read_text(text, &err);
	free(text);
	if (!*tables || !(ret = training_new(*tables, &err))) {
		printf("# %s\n", err.text);
		exit(99);
	}
	return ret;
}

static void test_training(void)
{
	size_t folds[TRAINING_FOLDS] = { 0 };
	struct tables *tables;
	struct training *t = train_text("a\t0x10\t1\t10\t20\t0\t100\n"
					"b\t0x20\t3\t30\t20\t0\t100\n"
					"c\t0x30\t4\t0\t0\t0\t0\n"
					"d\t0x40\t2\t0\t40\t8\t50\n",
					&tables);

	check(t->nrows == 80 && t->nsampled == 60 && t->nprograms == 1,
	      "rows, and those with samples");
	check(tables->rows[0].function == tables->rows[19].function &&
		      tables->rows[20].address == 0x20,
	      "rows are sorted");
	check(near(training_x(t, 0)[INST], 10 / (40 / 10.0)) &&
		      near(training_x(t, 20)[INST], 30 / 3.0 / (40 / 10.0)),
	      "density: samples of an instruction, by those of the average");
	check(near(training_x(t, 60)[STALL], 4 / (8 / 10.0)) &&
		      near(t->y[0], 100 / (500 / 10.0)) && near(t->y[40], 0),
	      "of each event, and of the truth");
	for (size_t i = 0; i < t->nrows; i++)
		folds[t->fold[i]] += t->sampled[i];
	check(folds[0] == 12 && folds[TRAINING_FOLDS - 1] == 12 &&
		      t->fold[0] != t->fold[1],
	      "folds are equal, and have not all of the same block");
	check(strcmp(tables->events[CYCLES], "cycles") == 0 &&
		      strcmp(tables->events[INST], "inst") == 0,
	      "events are in the order of their names");
	training_free(t);
	tables_free(tables);
}

/*
 * Instructions 10, cycles 10 and no stall: trusted.  Cycles 100 without a
 * stall: under.  Stalled for nearly all of its cycles: over.
 */
static void test_classes(void)
{
	struct tables *tables;
	struct training *t = train_text("a\t0x10\t1\t10\t10\t0\t1000\n"
					"b\t0x20\t1\t10\t100\t0\t3000\n"
					"c\t0x30\t1\t60\t100\t9\t2000\n"
					"d\t0x40\t1\t20\t20\t0\t2000\n",
					&tables);
	struct role roles[] = { [CYCLES] = { ROLE_CYCLES, 1 },
				[INST] = { ROLE_INST, 1 },
				[STALL] = { ROLE_STALL, 1 } };
	struct classes c = classes_train(t, roles, INST);

	check(c.known && c.inst == INST && c.cycles == CYCLES, "events");
	check(near(c.tuned[CLASS_UNDER].f1, 1) &&
		      near(c.tuned[CLASS_OVER].f1, 1),
	      "the classes of a simple case are found");
	check(c.stall[STALL] * 9 > 40 && c.stall[INST] == 0,
	      "a stall explains more than the cycles without instructions");
	check(c.price[CLASS_UNDER].raise < c.price[CLASS_UNDER].lower &&
		      c.price[CLASS_OVER].raise > c.price[CLASS_OVER].lower,
	      "prices follow the direction of the error");
	check(near(c.price[CLASS_UNDER].raise, 1) ||
		      near(c.price[CLASS_OVER].lower, 1),
	      "the least price is 1");
	classes_deinit(&c);
	c = classes_train(t, roles, CYCLES);
	check(!c.known, "no classes when cycles are the base");
	classes_deinit(&c);
	training_free(t);
	tables_free(tables);
}

static void test_prices(void)
{
	/* Trusted: of 40 measured, 2 above and 2 below in truth. */
	struct tables *tables;
	struct training *t = train_text("a\t0x10\t1\t10\t10\t0\t12\n"
					"b\t0x20\t1\t10\t10\t0\t8\n"
					"c\t0x30\t1\t20\t20\t1\t20\n",
					&tables);
	struct role roles[] = { [CYCLES] = { ROLE_CYCLES, 1 },
				[INST] = { ROLE_INST, 1 },
				[STALL] = { ROLE_OTHER, 1 } };
	struct classes c = classes_train(t, roles, INST);

	check(near(c.price[CLASS_TRUSTED].raise, c.price[CLASS_TRUSTED].lower),
	      "as often above as below: the same price");
	check(c.stall[STALL] == 0, "another event is no stall");
	classes_deinit(&c);
	training_free(t);
	tables_free(tables);
}

int main(void)
{
	test_metrics();
	test_likeness();
	test_roles();
	test_training();
	test_classes();
	test_prices();
	return done();
}
