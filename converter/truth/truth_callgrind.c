/*
 * truth_callgrind.c - the output of valgrind --tool=callgrind, as its manual
 * describes the format.
 *
 * A cost line is "ADDRESS LINE COST..."; addresses may be relative to the one
 * before.  After "calls=" stands a cost line of what was called, which is
 * not the instruction's own; "jump=" and "jcnd=" stand before a line with
 * the position of the jump.  One instruction may have several cost lines.
 *
 * A part ends with "totals:", and of several in one file (--combine-dumps)
 * each has its own: where nothing was cut off it is the last line that says
 * anything.  Whole parts that are missing cannot be told.  "summary:" is no
 * sign of the end, since it stands before the costs.
 *
 * Unless told --skip-plt=no, callgrind counts what is in the stub of a call to
 * another file as executions of the call.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "converter/truth/truth_private.h"

struct names {
	char **texts; /* by number */
	size_t n;
};

struct callgrind {
	struct truth *truth;
	struct fdo_text *text;
	struct names objects;
	bool ours;	       /* the current object is the one asked for */
	uint64_t address;      /* of the last position */
	bool has_addresses;    /* positions: instr */
	unsigned lines;	       /* positions beside the address */
	unsigned cost;	       /* where Ir is among the costs */
	struct fdo_map *calls; /* by address, in the current object */
	bool called;	       /* the next cost line is not self cost: */
	uint64_t ncalls;
	bool has_jumps; /* of any object */
	bool jumped;	/* the next line is where this jump is: */
	uint64_t target, times;
	bool ended; /* with its totals */
};

static bool number(const char *word, uint64_t *ret)
{
	return strncmp(word, "0x", 2) == 0 ? fdo_text_number(word + 2, 16, ret)
					   : fdo_text_number(word, 10, ret);
}

/* A subposition: absolute, or "+n", "-n", "*" from the last one. */
static bool position(const char *word, uint64_t last, uint64_t *ret)
{
	uint64_t by;

	if (!word)
		return false;
	if (strcmp(word, "*") == 0) {
		*ret = last;
		return true;
	}
	if (*word != '+' && *word != '-')
		return number(word, ret);
	if (!number(word + 1, &by))
		return false;
	*ret = *word == '+' ? last + by : last - by;
	return true;
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* "(7) /usr/bin/app" gives the name a number, "(7)" is the name again. */
static const char *object_name(struct names *names, char *text)
{
	const char *end;
	uint64_t number;

	if (*text != '(')
		return text;
	text++;
	end = strsep(&text, ")");
	if (!text || !fdo_text_number(end, 10, &number) || number > 1000000)
		return NULL;
	end = skip_blanks(text);
	if (number >= names->n) {
		size_t n = number + 1;
		char **grown = fdo_alloc(n, sizeof(*grown));

		if (names->n)
			memcpy(grown, names->texts, names->n * sizeof(*grown));
		free(names->texts);
		names->texts = grown;
		names->n = n;
	}
	if (*end && !names->texts[number]) {
		size_t size = strlen(end) + 1;

		names->texts[number] = memcpy(fdo_alloc(1, size), end, size);
	}
	return names->texts[number];
}

static bool read_object(struct callgrind *c, char *name, bool enter,
			struct fdo_error *err)
{
	const char *path = object_name(&c->objects, name);

	if (!path)
		return fdo_text_fail(c->text, err, "an object without a name");
	if (enter)
		c->ours = truth_is_object(c->truth, path);
	return true;
}

/* The number of a word in a list of words, or -1. */
static int word_number(const char *list, const char *word)
{
	size_t length = strlen(word);
	int n = 0;

	for (list = skip_blanks(list); *list;
	     list = skip_blanks(list + strcspn(list, " ")), n++)
		if (strncmp(list, word, length) == 0 &&
		    (list[length] == ' ' || list[length] == '\0'))
			return n;
	return -1;
}

static bool read_header(struct callgrind *c, struct fdo_error *err)
{
	const char *line = c->text->line;

	if (strncmp(line, "positions:", 10) == 0) {
		c->has_addresses = word_number(line + 10, "instr") == 0;
		c->lines = word_number(line + 10, "line") > 0;
	}
	if (strncmp(line, "events:", 7) == 0) {
		int cost = word_number(line + 7, "Ir");

		if (cost < 0)
			return fdo_text_fail(c->text, err, "no event Ir");
		c->cost = cost;
	}
	return true;
}

/* "jcnd=TAKEN/EXECUTED TARGET ..." or "jump=TIMES TARGET ...". */
static bool read_jump(struct callgrind *c, char *text, struct fdo_error *err)
{
	char *times = truth_word(&text);

	if (!times || !fdo_text_number(strsep(&times, "/"), 10, &c->times))
		return fdo_text_fail(c->text, err, "not how often it jumped");
	if (!position(truth_word(&text), c->address, &c->target))
		return fdo_text_fail(c->text, err, "a jump to nowhere");
	c->jumped = c->has_jumps = true;
	return true;
}

/* "calls=TIMES TARGET ...". */
static bool read_calls(struct callgrind *c, char *text, struct fdo_error *err)
{
	const char *times = truth_word(&text);

	if (!times || !fdo_text_number(times, 10, &c->ncalls))
		return fdo_text_fail(c->text, err, "not how often it called");
	c->called = true;
	return true;
}

/*
 * A call that so many instructions seem to be, by so many calls from there: without
 * the jump that the stub of each is.  One that is bound when it is first used is a call
 * of the dynamic linker and one of what that found, after four more instructions.
 */
static uint64_t without_stubs(uint64_t executions, uint64_t calls)
{
	if (executions == 2 * calls)
		return calls;
	if (calls > 1 && executions == 2 * (calls - 1) + 4)
		return calls - 1;
	return executions;
}

static void leave_out_stubs(struct callgrind *c)
{
	uint64_t *addresses = fdo_map_keys(c->calls);

	for (size_t i = 0; i < fdo_map_size(c->calls); i++) {
		uint64_t *executions =
			fdo_map_get(c->truth->executions, addresses[i]);

		if (executions)
			*executions = without_stubs(*executions,
						    *fdo_map_get(c->calls,
								 addresses[i]));
	}
	free(addresses);
}

/* Costs that are zero need not be there. */
static bool add_executions(struct callgrind *c, char *costs,
			   struct fdo_error *err)
{
	const char *word = truth_word(&costs);
	uint64_t count = 0;

	for (unsigned i = 0; i < c->lines + c->cost; i++)
		word = truth_word(&costs);
	if (word && !fdo_text_number(word, 10, &count))
		return fdo_text_fail(c->text, err, "a cost is not a number");
	*fdo_map_at(c->truth->executions, c->address) += count;
	return true;
}

static bool read_cost(struct callgrind *c, struct fdo_error *err)
{
	char *rest = c->text->line;
	bool own = !c->called && !c->jumped;

	if (!c->has_addresses)
		return fdo_text_fail(c->text, err,
				     "no addresses: " TRUTH_HOW_TO_RUN);
	if (!position(truth_word(&rest), c->address, &c->address))
		return fdo_text_fail(c->text, err, "not a position");
	if (c->address >> 32 && c->ours)
		return fdo_text_fail(c->text, err, "an address beyond 2^32");
	if (c->jumped && c->ours && c->times)
		truth_add_jump(c->truth, c->address, c->target, c->times);
	if (c->called && c->ours)
		*fdo_map_at(c->calls, c->address) += c->ncalls;
	c->called = c->jumped = false;
	return !own || !c->ours || add_executions(c, rest, err);
}

static bool read_line(struct callgrind *c, struct fdo_error *err)
{
	char *line = c->text->line;

	if (*line)
		c->ended = strncmp(line, "totals:", 7) == 0;
	if (strncmp(line, "ob=", 3) == 0)
		return read_object(c, line + 3, true, err);
	if (strncmp(line, "cob=", 4) == 0)
		return read_object(c, line + 4, false, err);
	if (strncmp(line, "jcnd=", 5) == 0 || strncmp(line, "jump=", 5) == 0)
		return read_jump(c, line + 5, err);
	if (strncmp(line, "calls=", 6) == 0)
		return read_calls(c, line + 6, err);
	if ((*line >= '0' && *line <= '9') || (*line && strchr("+-*", *line)))
		return read_cost(c, err);
	return read_header(c, err);
}

bool truth_read_callgrind(struct truth *t, struct fdo_text *text,
			  struct fdo_error *err)
{
	struct callgrind c = { .truth = t,
			       .text = text,
			       .calls = fdo_map_new() };
	bool done = true;

	while (done && fdo_text_next(text, &done, err))
		done = read_line(&c, err);
	if (done && !c.ended)
		done = fdo_text_fail(
			text, err, "no totals behind it: the file is cut off");
	leave_out_stubs(&c);
	fdo_map_free(c.calls);
	t->without_jumps = !c.has_jumps;
	for (size_t i = 0; i < c.objects.n; i++)
		free(c.objects.texts[i]);
	free(c.objects.texts);
	return done;
}
