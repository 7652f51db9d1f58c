/*
 * merge_files.c - files added up, function by function.
 *
 * Each file has its functions in the same order, so the first of all files is
 * next, and those of other files that are the same are added to it.  What is
 * known only at the end waits: functions that were never sampled, and counts
 * for the cutoffs, which have to be looked at twice (cutoffs.h).
 *
 * The hosts of the sum are those of all files, and a function that is only
 * there inlined has a record in each of them: profile_sort() has nothing to do.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/spool.h"
#include "profile/private.h"
#include "profile/stream.h"
#include "profile/cutoffs.h"
#include "profile/unsampled.h"

struct input {
	struct profile_reader *reader;
	uint64_t weight;
	uint32_t *binaries;  /* their numbers in the sum */
	struct ordered next; /* without a function at the end */
	bool is_next;	     /* its next one is among those to be added up */
};

struct sum {
	struct input *inputs;
	size_t n;
	struct profile *whole; /* all but functions */
	bool alone;	       /* which then is that of the only input */
	struct profile_writer *writer;
	struct unsampled_filter *filter;
	struct cutoffs *cutoffs; /* NULL: those of the input stay */
	struct spool *counts;	 /* of which the cutoffs are */
};

static bool advance(struct input *input, struct fdo_error *err)
{
	struct profile_function *f = NULL;

	if (!profile_reader_next(input->reader, &f, err))
		return false;
	input->next = f ? profile_ordered(f) : (struct ordered){ 0 };
	return true;
}

static bool open_inputs(struct sum *sum, char *const *paths,
			const uint64_t *weights, struct fdo_error *err)
{
	for (size_t i = 0; i < sum->n; i++) {
		struct input *input = &sum->inputs[i];

		input->weight = weights[i];
		input->reader = profile_reader_open(paths[i], err);
		if (!input->reader || !advance(input, err))
			return false;
	}
	return true;
}

/* Numbers of binaries are known when all are there and sorted. */
static void add_wholes(struct sum *sum)
{
	sum->whole = profile_new();
	for (size_t i = 0; i < sum->n; i++) {
		const struct profile *from =
			profile_reader_whole(sum->inputs[i].reader);

		profile_merge_whole(sum->whole, from);
		free(profile_add_binaries(sum->whole, from));
		for (size_t j = 0; j < from->nunsampled; j++)
			profile_add_unsampled(sum->whole, &from->unsampled[j]);
		unsampled_sort(sum->whole);
	}
	profile_sort(sum->whole);
	for (size_t i = 0; i < sum->n; i++)
		sum->inputs[i].binaries = profile_add_binaries(
			sum->whole,
			profile_reader_whole(sum->inputs[i].reader));
	if (sum->whole->nunsampled)
		sum->filter = unsampled_filter_new(sum->whole);
}

/* NULL: there are no more. */
static struct input *first_of(const struct sum *sum)
{
	struct input *first = NULL;

	for (size_t i = 0; i < sum->n; i++) {
		struct input *input = &sum->inputs[i];

		if (input->next.function &&
		    (!first ||
		     profile_compare_ordered(&input->next, &first->next) < 0))
			first = input;
	}
	return first;
}

static void note_unsampled(void *filter, uint64_t key)
{
	unsampled_filter_note(filter, key);
}

static void note_count(void *data, uint64_t count)
{
	struct sum *sum = data;

	cutoffs_take(sum->cutoffs, count);
	spool_add(sum->counts, &count, sizeof(count));
}

static bool put(struct sum *sum, const struct profile_function *f,
		struct fdo_error *err)
{
	if (sum->filter)
		unsampled_each_sampled(f, note_unsampled, sum->filter);
	if (sum->cutoffs)
		cutoffs_each(&f->body, note_count, sum);
	return profile_writer_add(sum->writer, f, err);
}

/*
 * The sum of a function of one or more inputs.  Most often the first has the
 * weight 1, and is added to in place; else the sum is the caller's to free.
 */
static struct profile_function *add_same(struct input *first,
					 struct input *inputs, size_t n)
{
	struct profile_function *into = first->next.function;

	if (first->weight == 1)
		for (size_t i = 0; i < into->nbinaries; i++)
			into->binaries[i] = first->binaries[into->binaries[i]];
	else
		into = fdo_alloc(1, sizeof(*into));
	for (size_t i = 0; i < n; i++)
		if (inputs[i].is_next && inputs[i].next.function != into)
			profile_add_to_function(into, inputs[i].next.function,
						inputs[i].weight,
						inputs[i].binaries);
	return into;
}

static bool put_same(struct sum *sum, struct input *first,
		     struct fdo_error *err)
{
	struct ordered now = first->next;
	struct profile_function *f;
	bool good;

	for (size_t i = 0; i < sum->n; i++) {
		const struct ordered *next = &sum->inputs[i].next;

		sum->inputs[i].is_next =
			next->function &&
			profile_compare_ordered(next, &now) == 0;
	}
	f = add_same(first, sum->inputs, sum->n);
	good = put(sum, f, err);
	if (f != now.function)
		profile_function_free(f);
	for (size_t i = 0; good && i < sum->n; i++)
		if (sum->inputs[i].is_next)
			good = advance(&sum->inputs[i], err);
	return good;
}

static bool look_again(const struct sum *sum, const char *output,
		       struct fdo_error *err)
{
	enum { PIECE = 1 << 20 };
	struct fdo_error reason;
	struct fdo_file all;
	uint64_t count;

	if (!spool_view(sum->counts, &all, &reason))
		return fdo_fail(err, "%s: cannot write: %s", output,
				reason.text);
	cutoffs_choose(sum->cutoffs);
	for (size_t at = 0; at < all.size; at += sizeof(count)) {
		memcpy(&count, all.data + at, sizeof(count));
		cutoffs_look(sum->cutoffs, count);
		if (at && at % PIECE == 0)
			fdo_file_forget(&all, all.data + at - PIECE, PIECE);
	}
	return true;
}

static bool finish(struct sum *sum, const char *output, struct fdo_error *err)
{
	if (sum->filter)
		unsampled_filter_take_out(sum->filter, sum->whole);
	if (sum->cutoffs) {
		if (!look_again(sum, output, err))
			return false;
		cutoffs_finish(sum->cutoffs, sum->whole);
	}
	return profile_writer_finish(sum->writer, sum->whole, err);
}

/* A single one with the weight 1 is what it is. */
static void set_whole(struct sum *sum)
{
	struct profile *first = profile_reader_whole(sum->inputs[0].reader);

	sum->alone = sum->n == 1 && sum->inputs[0].weight == 1;
	if (sum->alone) {
		sum->whole = first;
		sum->inputs[0].binaries = profile_add_binaries(first, first);
	} else {
		add_wholes(sum);
	}
	if (!sum->alone || !first->ncutoffs) {
		sum->cutoffs = cutoffs_new();
		sum->counts = spool_new();
	}
}

static bool has_first_use(const struct sum *sum)
{
	for (size_t i = 0; i < sum->n; i++)
		if (profile_reader_has_first_use(sum->inputs[i].reader))
			return true;
	return false;
}

static bool add_all(struct sum *sum, const char *output, struct fdo_error *err)
{
	struct input *first;

	set_whole(sum);
	sum->writer = profile_writer_new(output, has_first_use(sum));
	while ((first = first_of(sum)))
		if (!put_same(sum, first, err))
			return false;
	return finish(sum, output, err);
}

static void release(struct sum *sum)
{
	if (!sum->alone)
		profile_free(sum->whole);
	for (size_t i = 0; i < sum->n; i++) {
		profile_reader_close(sum->inputs[i].reader);
		free(sum->inputs[i].binaries);
	}
	free(sum->inputs);
	profile_writer_free(sum->writer);
	unsampled_filter_free(sum->filter);
	cutoffs_free(sum->cutoffs);
	spool_free(sum->counts);
}

bool profile_merge_files(char *const *paths, const uint64_t *weights, size_t n,
			 const char *output, struct fdo_error *err)
{
	struct sum sum = {
		.inputs = fdo_alloc(n, sizeof(*sum.inputs)),
		.n = n,
	};
	bool good = open_inputs(&sum, paths, weights, err) &&
		    add_all(&sum, output, err);

	release(&sum);
	return good;
}
