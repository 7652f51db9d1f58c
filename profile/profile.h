/*
 * profile.h - the profile: counts by place in the source.
 *
 * A profile is a list of functions.  Each has a body: counts by source key,
 * and, for each call that was inlined into it in the profiled binary, a body
 * again, and so on.  What the file looks like: doc/samplefdo-profile.5.
 *
 *	struct profile *p = profile_new();
 *	struct profile_function *f =
 *		profile_add_function(p, "main", "app.c", 12);
 *	struct profile_count *c = profile_count_at(p, &f->body, key);
 *	c->count += 100;
 *	if (!profile_write(p, "prof.afdo", err))
 *	...
 *	profile_free(p);
 *
 * Units      A count is an estimated number of executions of the code with
 *            that key, in a unit that all counts of one profile share.
 *            error is its standard error in the same unit.
 * Range      Counts up to PROFILE_MAX; sums stay at PROFILE_MAX.
 * Ownership  A struct profile owns all that hangs from it; strings are
 *            interned in it: equal texts have equal pointers.  Pointers to
 *            functions and bodies stay valid until profile_free();
 *            pointers to counts until the next profile_count_at() on the
 *            same body or profile_sort().  Things are added with the
 *            functions below; cutoffs may also be an array of the caller
 *            from fdo_alloc(), which then is the profile's.
 * Errors     Reading and writing fail with the file's name and, for a
 *            damaged file, the byte.
 * Threads    A profile stays in the thread that made it.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fdo_error;

#define PROFILE_MAX ((uint64_t)1 << 60)

/* As a discriminator: the code of the line and column, whichever it has. */
#define PROFILE_ANY 0xffffffffu

/* No code has it: where columns are unknown, code of line 0 has both as 0. */
#define PROFILE_ENTRY 0xfffffffeu

/*
 * Of a place where a statement begins: at least so often it began, whatever code
 * is left of it.  No code has it either.
 */
#define PROFILE_BEGIN 0xfffffffdu

/*
 * Where code comes from, within its function.  Two records are kept of each
 * piece of code: one with its discriminator, and one with PROFILE_ANY, which
 * is not the sum of the others: pieces with different discriminators may be
 * the same executions.
 */
struct profile_key {
	const char *file;	/* NULL: the file of the function */
	int32_t line;		/* minus the function's start line */
	uint32_t column;	/* from 1; 0: unknown */
	uint32_t discriminator; /* 0: none */
};

/*
 * The key of no code, in an inlined body: how often it was entered, where that
 * is less than what comes first in its source.
 */
static inline struct profile_key profile_entry_key(void)
{
	struct profile_key key = { NULL, 0, 0, PROFILE_ENTRY };

	return key;
}

static inline bool profile_is_entry_key(const struct profile_key *key)
{
	return !key->file && key->line == 0 && key->column == 0 &&
	       key->discriminator == PROFILE_ENTRY;
}

/* Is a key of code, or else of how often something began? */
static inline bool profile_is_code_key(const struct profile_key *key)
{
	return key->discriminator != PROFILE_BEGIN &&
	       !profile_is_entry_key(key);
}

enum profile_flags {
	/*
	 * The count is only an upper bound: the code was if-converted
	 * (COND) or merged with other code (MERGED).
	 */
	PROFILE_COND = 1,
	PROFILE_MERGED = 2,
};

/* Who was called from there. */
struct profile_target {
	const char *name; /* of the function, as in struct profile_function */
	uint64_t count;
};

/* Of what values are known. */
enum profile_kind {
	PROFILE_DIVISOR,  /* of a division, or for its remainder */
	PROFILE_QUOTIENT, /* of the same */
	PROFILE_SIZE,	  /* in bytes, of what is copied or set by a call */
	/*
	 * Of what a branch compares: 1 or 0, whether it was equal, or whether one
	 * was less than the other, whichever that is.
	 */
	PROFILE_EQUAL,
	PROFILE_LESS,
	PROFILE_KINDS,
};

/* How often one value was there, or any other one than those listed. */
struct profile_value {
	int64_t value; /* other: 0 */
	uint64_t count;
	uint8_t kind; /* enum profile_kind */
	bool other;
};

struct profile_count {
	struct profile_key key;
	uint64_t count;
	uint64_t error;	     /* rounded down; 0: not known */
	uint64_t error_rest; /* square of the exact error, less
					 * error * error: adding up loses
					 * nothing.  0 in a new profile */
	uint32_t flags;	     /* enum profile_flags */
	uint32_t nvalues;
	struct profile_target *targets; /* by falling count, then name; each
					 * once, once sorted */
	size_t ntargets;
	struct profile_value *values; /* by kind; others last, and by falling
				       * count, then value; as targets */
};

struct profile_body {
	const char *name;    /* linkage name */
	const char *file;    /* of the declaration, as in debug information */
	uint32_t start_line; /* of the declaration; 0: unknown */
	struct profile_key call; /* where in the body around it; unused
					 * in a function's own body */
	uint64_t total;		 /* instructions executed in it, with what was
				 * inlined into it, in the unit of counts */
	struct profile_count *counts; /* sorted by key once sorted */
	size_t ncounts, room_counts;
	struct profile_body **inlined; /* sorted by call, name, file, line */
	size_t ninlined, room_inlined;
};

struct profile_function {
	struct profile_body body;
	uint64_t entry;	    /* times entered as a function of its own */
	uint64_t samples;   /* of any event in its code, inlined copies too */
	uint64_t first_use; /* nanoseconds from the program's beginning to when
			     * it was first seen, inlined copies too; 0: not
			     * known */
	const char **hosts; /* functions (itself may be one) that have it
			     * inlined, at any depth, sorted */
	size_t nhosts;
	uint32_t *binaries; /* where it is from, in struct profile */
	size_t nbinaries;
};

struct profile_binary {
	const char *name; /* file name without folders */
	unsigned char build_id[20];
	uint32_t build_id_size; /* 0: it has none */
	/*
	 * Most of it was compiled without -gstatement-frontiers, as by -g1:
	 * its discriminators are those that code has without them.
	 */
	bool no_frontiers;
};

struct profile_event {
	const char *name;     /* as in perf.data */
	const char *role;     /* inst, cycles, stall:NAME, ... */
	uint64_t period;      /* mean, in events for a sample, rounded down */
	uint64_t period_rest; /* events, less period * samples; as error_rest */
	uint64_t samples;     /* read */
	uint64_t mapped;      /* of these, in code of the binaries */
};

/*
 * Of the total of all counts times instructions, the hottest blocks that
 * make up share ppm parts of a million all have at least min_count.
 */
struct profile_cutoff {
	uint32_t share; /* parts in a million */
	uint64_t min_count;
	uint64_t blocks; /* number of such blocks */
};

/* The shares that a profile is made with, as other formats have them. */
enum { PROFILE_CUTOFFS = 16 };
extern const uint32_t profile_cutoff_shares[PROFILE_CUTOFFS];

/*
 * A function that a profiled binary had and of which nothing was sampled,
 * inlined or not, nor inferred.  Names take much room, so there are hashes.
 */
struct profile_unsampled {
	uint32_t name;	  /* profile_hash_name() of its linkage name */
	uint32_t file;	  /* profile_hash_file() of the declaration's */
	uint32_t line;	  /* of the declaration */
	uint32_t lines;	  /* from there to the last one that has code */
	uint32_t samples; /* of binaries that had it, at most UINT32_MAX;
			   * 0: exact counts say that it never ran */
};

/* What who makes a profile and who reads it must take for the same. */
enum {
	/*
	 * Instructions in a block, when nothing else is known: a function's
	 * total by its samples and by these is how often a block ran for each
	 * sample.
	 */
	PROFILE_BLOCK_SIZE = 5,

	/*
	 * A function whose calls are worth so many samples, in thousandths, is
	 * taken to have run: half a sample is what the flow gives what was not
	 * seen and must have run.
	 */
	PROFILE_RAN = 500,
};

struct profile {
	const char *tool;  /* who made it: "samplefdo 0.1" */
	const char *model; /* the estimator: "default", "cgo10", ... */
	struct profile_event *events;
	size_t nevents;
	struct profile_binary *binaries;
	size_t nbinaries;
	struct profile_cutoff *cutoffs; /* by rising share */
	size_t ncutoffs;
	uint64_t max_count;		     /* of any block */
	struct profile_function **functions; /* by name, file, start line */
	size_t nfunctions, room_functions;
	/* by name, file, line, lines; each once, once sorted */
	struct profile_unsampled *unsampled;
	size_t nunsampled, room_unsampled;
	struct profile_private *private_; /* strings, tables */
};

struct profile *profile_new(void);
void profile_free(struct profile *p);

/* The profile's copy of a text. */
const char *profile_text(struct profile *p, const char *text);

/*
 * Find or add, by what is given; the rest of something new is 0.  Pointers to
 * events stay valid until the next one is added, indexes of binaries until
 * profile_sort().
 */
struct profile_event *profile_add_event(struct profile *p, const char *name,
					const char *role);
uint32_t profile_add_binary(struct profile *p,
			    const struct profile_binary *binary);

/* The function is (also) from that binary, an index in p->binaries. */
void profile_add_source(struct profile_function *function, uint32_t binary);

struct profile_function *profile_add_function(struct profile *p,
					      const char *name,
					      const char *file,
					      uint32_t start_line);
struct profile_body *profile_add_inlined(struct profile *p,
					 struct profile_body *in,
					 struct profile_key call,
					 const char *name, const char *file,
					 uint32_t start_line);
struct profile_count *profile_count_at(struct profile *p,
				       struct profile_body *body,
				       struct profile_key key);

/* Likewise, but NULL where there is none yet. */
struct profile_count *profile_find_count(struct profile *p,
					 struct profile_body *body,
					 struct profile_key key);

/* Free what hangs from a count that is to be taken out of its body. */
void profile_count_deinit(struct profile_count *count);

/* Add to a count's call targets; profile_sort() makes one of the same. */
void profile_add_target(struct profile *p, struct profile_count *count,
			const char *name, uint64_t times);

/* The same for its values; those of a kind are all that is known of it. */
void profile_add_value(struct profile_count *count,
		       const struct profile_value *value);

void profile_add_unsampled(struct profile *p,
			   const struct profile_unsampled *function);

/* Of a linkage name, and of a file's name without its folders. */
uint32_t profile_hash_name(const char *name);
uint32_t profile_hash_file(const char *path);

/* Add, or multiply, staying at PROFILE_MAX. */
uint64_t profile_sum(uint64_t a, uint64_t b);
uint64_t profile_times(uint64_t count, uint64_t times);

/* A function was seen at that time; 0: at none that is known. */
void profile_use(struct profile_function *function, uint64_t time);

/* Orders keys as they are sorted: -1, 0, 1. */
int profile_compare_keys(const struct profile_key *a,
			 const struct profile_key *b);

/*
 * Put everything into its one order and fill in what follows from the rest:
 * hosts, and an empty record of each function that is only there inlined, to
 * hold its hosts.  No function stays unsampled that has samples or counts.  Two
 * profiles with the same content are then the same bytes.  Done by
 * profile_write() and profile_print().  Not for a part of a file, of which the
 * hosts cannot be known (see profile_open()).
 */
void profile_sort(struct profile *p);

/*
 * Set max_count and cutoffs from the counts by key: of each line and column
 * that with PROFILE_ANY, or where there is none, all; upper bounds are left
 * out; each key stands for one block of one instruction.  Whoever knows the
 * blocks themselves sets the two from these instead.
 */
void profile_summarize(struct profile *p);

/*
 * Add all of another profile, with counts, their errors and totals times weight
 * (at least 1).  Both are as profile_sort() leaves them, and so is the sum but
 * for the numbers of binaries.  Samples are what was seen and have no weight.
 * In any order and any grouping, with the same weights, the result is the same
 * bytes: a function stays unsampled that has counts in neither, errors are
 * added as squares and without loss, flags are or-ed, the first use is the
 * earlier one, different models give the model "mixed", and the later (by text)
 * tool stays.  Of a body that was inlined, the count of its entries stays only
 * if all copies of it that ran have one.  max_count and cutoffs are then empty,
 * since blocks of different binaries cannot be added: call profile_summarize()
 * after the last.
 */
void profile_merge(struct profile *into, const struct profile *from,
		   uint64_t weight);

/*
 * The whole file, which is replaced in one step; "-" is stdout.  It fails for
 * bodies that are nested over 512 deep.
 */
bool profile_write(struct profile *p, const char *path, struct fdo_error *err);

/*
 * The lossless text form: profile_parse(profile_print(p)) is p.  name stands
 * for the stream in messages ("NAME:LINE: ...").
 */
void profile_print(struct profile *p, FILE *stream);
void profile_print_function(const struct profile_function *f, FILE *stream);
void profile_print_unsampled(const struct profile_unsampled *u, FILE *stream);
struct profile *profile_parse(FILE *stream, const char *name,
			      struct fdo_error *err);

/* Whether a file begins as one, in either form. */
bool profile_is(const char *path);

/* The whole file in either form; every checksum is tested.  "-" is stdin. */
struct profile *profile_read_any(const char *path, struct fdo_error *err);

/*
 * Part of a file: the compiler needs few functions of many.  profile_open()
 * reads what is said of the whole into a profile without functions; only
 * its own sections are tested.  profile_load() gives all functions of that
 * name (file and start line tell them apart), which may be none; the array
 * is the profile's, valid until the next call.  A name that was loaded before
 * costs nothing.  Fails on a damaged record, and on a named pipe, in which
 * nobody may ever write.
 */
struct profile *profile_open(const char *path, struct fdo_error *err);
bool profile_load(struct profile *p, const char *name,
		  struct profile_function ***ret, size_t *count_ret,
		  struct fdo_error *err);

/*
 * Those of nunsampled that have that name; *ret is the caller's to free().
 * profile_open() reads none of them, but sets nunsampled.
 */
bool profile_load_unsampled(const struct profile *p, const char *name,
			    struct profile_unsampled **ret, size_t *count_ret,
			    struct fdo_error *err);

#ifdef __cplusplus
}
#endif
#endif
