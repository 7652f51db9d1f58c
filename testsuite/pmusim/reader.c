#include "testsuite/pmusim/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static bool fail(const struct reader *r, struct fdo_error *err,
		 const char *what)
{
	return fdo_fail(err, "%s: line %u: %s", r->path, r->number, what);
}

static bool next_line(struct reader *r)
{
	ssize_t length = getline(&r->line, &r->room, r->stream);

	if (length < 0)
		return false;
	r->number++;
	if (length && r->line[length - 1] == '\n')
		r->line[length - 1] = '\0';
	return true;
}

bool reader_open(struct reader *r, const char *path, struct fdo_error *err)
{
	*r = (struct reader){ .path = path, .stream = fopen(path, "re") };
	if (!r->stream)
		return fdo_fail(err, "%s: %s", path, strerror(errno));
	if (next_line(r) && strcmp(r->line, "pmusim-samples 1") == 0)
		return true;
	r->number = 1;
	fail(r, err, "not \"pmusim-samples 1\"");
	reader_close(r);
	return false;
}

void reader_close(struct reader *r)
{
	free(r->line);
	fclose(r->stream);
}

/* The next word of a line, as a number; NULL in *at when there is none. */
static uint64_t number(char **at, int base)
{
	char *end;
	uint64_t ret;

	if (!*at)
		return 0;
	ret = strtoull(*at, &end, base);
	if (end == *at || (*end && *end != ' '))
		*at = NULL;
	else
		*at = *end ? end + 1 : end;
	return ret;
}

static const char *word(char **at)
{
	char *ret = *at;

	if (!ret || !*ret) {
		*at = NULL;
		return "";
	}
	strsep(at, " ");
	if (!*at)
		*at = ret + strlen(ret);
	return ret;
}

static bool skip_word(char **at, const char *text)
{
	size_t length = strlen(text);

	if (!*at || strncmp(*at, text, length) != 0 || (*at)[length] != ' ')
		return false;
	*at += length + 1;
	return true;
}

static void read_branches(char **at, struct record *ret)
{
	int n = 0;

	while (*at && **at && n < RECORD_BRANCHES) {
		struct record_branch *b = &ret->branches[n++];

		b->from = number(at, 16);
		b->to = number(at, 16);
		b->mispredicted = number(at, 10);
	}
	ret->nbranches = n;
}

static void read_sample(char **at, struct record *ret)
{
	ret->kind = RECORD_SAMPLE;
	ret->time = number(at, 10);
	ret->number = number(at, 10);
	ret->thread = number(at, 10);
	ret->ip = number(at, 16);
	ret->period = number(at, 10);
	if (skip_word(at, "latency")) {
		ret->watched = true;
		ret->latency = number(at, 10);
		ret->load_latency = number(at, 10);
		word(at);
	}
	if (skip_word(at, "pair")) {
		number(at, 16);
		for (int i = 0; i < 4; i++)
			number(at, 10);
		word(at);
	}
	if (skip_word(at, "registers")) {
		ret->has_registers = true;
		for (int i = 0; i < RECORD_VALUES; i++)
			ret->registers[i] = number(at, 16);
	}
	if (skip_word(at, "branches"))
		read_branches(at, ret);
}

static void read_map(char **at, struct record *ret)
{
	ret->kind = RECORD_MAP;
	ret->time = number(at, 10);
	ret->start = number(at, 16);
	ret->size = number(at, 16);
	ret->offset = number(at, 16);
	ret->word = word(at);
	ret->text = *at;
}

static void read_event(char **at, struct record *ret)
{
	ret->kind = RECORD_EVENT;
	ret->number = number(at, 10);
	ret->period = number(at, 10);
	ret->rand = number(at, 10);
	ret->word = word(at);
	ret->text = *at;
}

/* False: the line is of no kind. */
static bool read_other(char **at, struct record *ret)
{
	if (skip_word(at, "command")) {
		ret->kind = RECORD_COMMAND;
		ret->text = *at;
	} else if (skip_word(at, "process")) {
		ret->kind = RECORD_PROCESS;
		ret->number = number(at, 10);
		ret->text = *at;
	} else if (skip_word(at, "lbr")) {
		ret->kind = RECORD_LBR;
		ret->number = number(at, 10);
	} else if (skip_word(at, "registers")) {
		ret->kind = RECORD_REGISTERS;
		ret->number = number(at, 10);
	} else if (skip_word(at, "thread")) {
		ret->kind = RECORD_THREAD;
		ret->time = number(at, 10);
		ret->number = number(at, 10);
	} else if (skip_word(at, "end")) {
		ret->kind = RECORD_END;
		ret->time = number(at, 10);
	} else {
		return false;
	}
	return true;
}

bool reader_next(struct reader *r, struct record *ret, bool *more,
		 struct fdo_error *err)
{
	char *at;

	*ret = (struct record){ 0 };
	*more = next_line(r);
	if (!*more)
		return r->ended || fail(r, err, "no \"end\": it is not whole");
	at = r->line;
	if (skip_word(&at, "sample"))
		read_sample(&at, ret);
	else if (skip_word(&at, "map"))
		read_map(&at, ret);
	else if (skip_word(&at, "event"))
		read_event(&at, ret);
	else if (!read_other(&at, ret))
		return fail(r, err, "a record of no known kind");
	r->ended = ret->kind == RECORD_END;
	return at || fail(r, err, "something is missing or not a number");
}
