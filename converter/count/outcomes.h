/*
 * outcomes.h - how likely each way out of a block is, and whom pointers call,
 * by samples with registers.
 *
 * What decides a branch is in the flags of a sample that names the branch, and
 * follows from the registers of many that name an instruction before it
 * (outcome.h).  How often the block runs, such samples do not say; of its
 * executions they are a choice that is nearly fair, and that of other events than
 * time less so: these count in part beside samples of cycles.
 *
 *	struct outcomes *o = outcomes_new(program);
 *	samples_ask(samples, outcomes_tell, o);
 *	samples_read(samples, path, err);
 *	...
 *	outcomes_free(o);
 *	outcomes_add(program, &program->functions[i], decoder); // .outcomes
 *
 * Units      Samples; of a block's outcomes, those of other events in part.
 * Ownership  It borrows the program, of which only the binaries must be there
 *            while samples are read.  What is added is the program's.
 * Errors     None.
 */
#ifndef CONVERTER_OUTCOMES_H
#define CONVERTER_OUTCOMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decoder;
struct outcomes;
struct fdo_build_id;
struct perfdata_sample;
struct program;
struct program_function;
struct samples_outcome;
struct samples_value;

/* Of a function: by edge, and by block all that are known. */
struct outcomes_counts {
	double *edges, *blocks; /* NULL: nothing is known */
	double *expected;	/* executions of edges, by counts so far */
	double by_arms;		/* that arms add to each branch's (arms.h) */
	double *looks;		/* of edges (looks.h), or NULL */
	double *looked;		/* by block, how many outcomes they are worth */
};

struct outcomes *outcomes_new(const struct program *p);
void outcomes_free(struct outcomes *o);

/* Whether samples or bursts told any, and the model asks for them. */
bool outcomes_matter(const struct program *p);

/*
 * A samples_told of samples.h: at the last instruction of a block, which edge;
 * at a call or a last jump by a pointer, where it leads (outcomes_callee()); at a
 * condition without a branch, 1 if it holds (outcomes_condition()).
 */
size_t outcomes_tell(void *outcomes, const char *path,
		     const struct fdo_build_id *build_id, uint64_t offset,
		     const struct perfdata_sample *sample,
		     struct samples_outcome *ret);

/* Of a function without any, all are nothing then. */
void outcomes_room(struct program_function *f);

void outcomes_add(const struct program *p, struct program_function *f,
		  const struct decoder *d);

/* Who was called by a pointer, by an instruction of a function. */
struct outcomes_called {
	const struct samples_value *values; /* borrowed from the samples */
	size_t n;
	double samples; /* of all of them */
};
struct outcomes_called outcomes_called(const struct program *p,
				       const struct program_function *f,
				       uint32_t insn);

/*
 * Of samples that tell, the share by which the condition of an instruction holds that
 * does without a branch.  False: too few tell.
 */
bool outcomes_condition(const struct program *p,
			const struct program_function *f, uint32_t insn,
			double *ret);

/* The address where one of them leads; false: it was not told. */
bool outcomes_callee(const struct samples_value *value, uint64_t *address_ret);

/*
 * How often the edges of all functions are expected to run: as likely as the
 * outcomes have it where there are enough, and for the rest by the counts so
 * far.  False: there are none.
 */
bool outcomes_expect(struct program *p);

/*
 * Likewise, also by what samples at the arms of branches say (arms.h), if they
 * say anything.  How much of these is a branch's depends on the counts so far,
 * which would confirm what they have wrong: so only when these are good.
 */
bool outcomes_expect_by_arms(struct program *p);

/* By how many outcomes the ways out of a block are known. */
double outcomes_of(const struct program_function *f, uint32_t block);

void outcomes_clear(struct outcomes_counts *counts);

#endif
