/*
 * private.h - what the files of profile/ share, and nobody else sees.
 *
 * The tables that find things again are built when something is first looked
 * for and thrown away by whoever changes the arrays behind their back (a
 * reader, profile_sort()): a profile that is only read never pays for them.
 */
#ifndef PROFILE_PRIVATE_H
#define PROFILE_PRIVATE_H

#include "base/file.h"
#include "base/map.h"
#include "profile/profile.h"

/* How deep bodies may be nested; a function's own body is at depth 0. */
enum { PROFILE_DEPTH = 512 };

/* What the text form begins with; the version follows. */
#define PROFILE_TEXT_START "samplefdo profile "

struct profile_private {
	struct fdo_strings *strings;
	struct fdo_map *functions; /* hash to struct profile_function */
	struct fdo_map *inlined;   /* hash to struct inlined_body */
	struct fdo_map *counts;	   /* hash to the place in counts */
	struct profile_file *file; /* read by profile_open(), or NULL */
};

/* Every inlined body is one of these. */
struct inlined_body {
	struct profile_body body;
	const struct profile_body *in;
};

/*
 * Put something at the end, where only its owner knows of it yet: new and
 * empty, but for the function, which is the profile's from now on.
 */
void profile_append_function(struct profile *p, struct profile_function *f);
struct profile_body *profile_append_inlined(struct profile_body *in);
struct profile_count *profile_append_count(struct profile_body *body);

/* The arrays have changed. */
void profile_forget_places(struct profile *p);

/* Accepts NULL; for a function that is in no profile. */
void profile_function_free(struct profile_function *f);

/*
 * Room for one more item in an array that keeps no note of its room: it is
 * always the next power of two, from 8, so only this may enlarge it.
 */
void *profile_grow(void *array, size_t count, size_t size);

/* Order of texts; NULL is before all others. */
int profile_compare_texts(const char *a, const char *b);

/* By name, file, start line. */
int profile_compare_bodies(const struct profile_body *a,
			   const struct profile_body *b);

int profile_compare_binaries(const struct profile_binary *a,
			     const struct profile_binary *b);

/* By call, then as profile_compare_bodies(). */
int profile_compare_inlined(const struct profile_body *a,
			    const struct profile_body *b);

/* The oldest version of the format that has all that the profile has. */
int profile_version(const struct profile *p);

/* Functions in the order of the binary form. */
struct ordered {
	uint64_t hash; /* of the name */
	struct profile_function *function;
};

struct ordered profile_ordered(struct profile_function *f);

/* Of two struct ordered: -1, 0, 1. */
int profile_compare_ordered(const void *a, const void *b);

/* All of the profile's; free() them. */
struct ordered *profile_order(const struct profile *p);

/*
 * p->functions alone, and one list each.  Call targets of the same name become
 * one.
 */
void profile_sort_functions(struct profile *p);
void profile_sort_counts(struct profile_body *body);
void profile_sort_inlined(struct profile_body *body);
void profile_sort_targets(struct profile_count *count);
void profile_sort_hosts(struct profile_function *f);
void profile_sort_sources(struct profile_function *f);

/*
 * What profile_merge() does to one function, which may be without a name yet;
 * texts are those of from.  The sum is sorted.
 */
void profile_add_to_function(struct profile_function *into,
			     const struct profile_function *from,
			     uint64_t weight, const uint32_t *binaries);

/* What it does to tool, model, events and cutoffs. */
void profile_merge_whole(struct profile *into, const struct profile *from);

/*
 * The place in into->binaries of each of from->binaries, which are added;
 * free() it.
 */
uint32_t *profile_add_binaries(struct profile *into,
			       const struct profile *from);

#endif
