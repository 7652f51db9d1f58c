/*
 * samplefdo.h - what the parts of the plugin that know GCC share.
 *
 * The life of a compilation: plugin.cc reads the options and opens the
 * profile.  When all functions were parsed, declared.cc notes what they are
 * called, and flags.cc turns on what profile feedback is for, in those that the
 * profile knows.  After GCC's early inliner, inline.cc inlines what it left.
 * Then pass.cc has match.cc find the evidence for each block, and annotate.cc
 * writes the counts.  Before the vectorizer, and when GCC is done with the
 * statements, repair.cc mends what its passes made of them; that is all that is
 * done at a link with -flto, besides that hot.cc says again what is hot.
 */
#ifndef PLUGIN_SAMPLEFDO_H
#define PLUGIN_SAMPLEFDO_H

#include "plugin/gcc-compat.h"

/* GCC has a class of this name; only its tag is hidden, not the functions. */
#define profile_count profile_file_count
#include "profile/profile.h"
#include "plugin/contexts.h"
#include "plugin/unit.h"
#undef profile_count

#include "base/error.h"
#include "base/file.h"
#include "plugin/counts.h"
#include "plugin/evidence.h"
#include "plugin/options.h"
#include "plugin/rounds.h"

struct declared;
struct fdo_map;
struct inliner;

struct samplefdo {
	struct options options;
	struct profile *profile;
	int shift;	  /* counts_shift() of the profile */
	bool has_samples; /* the profile tells how many there were */
	unsigned known;	  /* functions that the profile knows */
	unsigned cold;	  /* that it may say were never sampled */
	FILE *dump;	  /* NULL: none */
	struct comparison *comparison; /* NULL: counts are for the compiler */
	struct inliner *inliner;       /* NULL: nothing is to be inlined */
	struct declared *declared;     /* NULL: not noted yet */
};

/* declared.cc */

/*
 * How all functions are called in debug information, and where declared.  Only
 * before the first pass does GCC know that in any case.
 */
struct declared *declared_new(struct profile *p);
void declared_free(struct declared *d);

struct function_id declared_id(const struct samplefdo *s, const_tree decl);

/* flags.cc */

/*
 * Is profile feedback of another kind asked for?  Then its option.  To
 * compare, there has to be -fprofile-use, and -fprofile-generate before.
 */
const char *flags_conflict(const struct options *o);

/* Did the user say that what is compiled now gets no counts? */
bool flags_refuse_counts(void);

/*
 * The event before the first pass: look every function up in the profile,
 * and if it has any, turn feedback on.  Sets s->known and s->cold.
 */
void flags_decide(void *gcc_data, void *samplefdo);

/*
 * Likewise, without a change of what is on, where GCC's own feedback is used
 * as well.
 */
void flags_look_up(void *gcc_data, void *samplefdo);

/*
 * In the current function, now that it has blocks, and counts or a guess: turn off
 * again what would take too long if there are very many of them.
 */
void flags_fit_size(bool annotated);

/* In the current function: no tail duplication, unless it was asked for. */
void flags_without_traces(void);

/*
 * In the current function: GCC guesses no target of a virtual call, unless it was
 * told to.  One that has options by itself keeps them: only where its caller has
 * the same does GCC inline it.
 */
void flags_guess_no_virtual(void);

/* frontiers.cc */

/*
 * To call before GCC begins: the code gets the discriminators that it had in
 * the profiled binary, with -g and without.  -g[no-]statement-frontiers wins.
 */
void frontiers_as_profiled(const struct profile *p);

/* When all discriminators were used: what GCC then need not carry along. */
void frontiers_drop(void);

/* hot.cc */

/* Blocks with this count are hot, in the profile's unit; 0: not known. */
uint64_t hot_count(const struct profile *p);

/* Blocks with less take next to no time; likewise. */
uint64_t hot_cold_count(const struct profile *p);

/* Before the first function gets its counts: GCC learns which of them are large. */
void hot_begin(const struct samplefdo *s);

/* At a link with -flto, after GCC's pass "profile_estimate": the same ones. */
ipa_opt_pass_d *hot_pass_new(void);

/* inline.cc */

/*
 * What the profile knows of each function before any pass, by DECL_UID as
 * struct instance *; the inliner takes both.  NULL: it is not to inline.
 */
struct inliner *inliner_new(struct samplefdo *s, struct unit *u,
			    struct fdo_map *instances);
void inliner_free(struct inliner *i);

/* What was inlined, if anything could have been. */
void inliner_report(const struct inliner *i);

/* After GCC's early inliner. */
gimple_opt_pass *inline_pass_new(struct samplefdo *s);

/* match.cc */

/*
 * Can this function have counts at all?  Leaves out thunks and the like, not what
 * a library has as well (DECL_EXTERNAL), which may be inlined.
 */
bool match_is_wanted(const struct cgraph_node *node);

/* Where debug information has it: with -gno-column-info, in column 0. */
expanded_location match_where(location_t location);

/* The function that a block is the inlined body of; NULL: none. */
tree match_inlined_function(tree block);

/* Add the current function, with all that is inlined in it by now. */
struct instance *match_add_function(const struct samplefdo *s, struct unit *u);

/*
 * Look at the current function's statements.  Its blocks are numbered from
 * NUM_FIXED_BLOCKS without gaps.  by_call: a call counts by itself, and not as
 * its place, where the profile knows it (unit_known_call()).
 */
struct evidence *match_see(const struct samplefdo *s, struct unit *u,
			   struct instance *in, bool by_call);

/* Where a statement of a function is, whichever discriminator it has. */
uint64_t match_place(const struct samplefdo *s, struct unit *u,
		     struct instance *in, const gimple *statement);

/*
 * By block, where the test at its end is; 0: it has none, or it is not known.  The
 * caller's, to be freed by XDELETEVEC().
 */
uint64_t *match_tests(const struct samplefdo *s, struct unit *u,
		      struct instance *in);

/*
 * Likewise of a block that a test alone leads to, a place of its own of which tests are
 * known: those are that test, if the block was made to be without a branch.
 */
uint64_t *match_arms(const struct samplefdo *s, struct unit *u,
		     struct instance *in);

/* calls.cc */

struct calls;

struct calls *calls_new(void);
void calls_free(struct calls *c);

/* Calls of what must have been called here; callees is for calls.cc only. */
struct calls_wanted {
	struct counts_call *calls;
	tree *callees;
	size_t n, room, callees_room;
};

/* Those in the current function. */
struct calls_wanted calls_want(const struct calls *c);
void calls_wanted_free(struct calls_wanted *w);

/*
 * The current function has got all the counts that it will have.  sample is how
 * many executions of a block in it one sample stands for; 0: a part of one.
 */
void calls_know(struct calls *c, bool annotated, uint64_t sample);

/* It gets others: until these are known, nothing is of what it calls. */
void calls_forget(struct calls *c, uint64_t sample);

/* How often those that have got their counts call the current function. */
int64_t calls_of_current(const struct calls *c);

/*
 * Before the current function gets its counts, of each block the most that
 * anything is executed for it: itself, or what it calls, for which these are
 * kept, too.  The caller's, to be freed by XDELETEVEC().
 */
double *calls_heat(struct calls *c, const struct samplefdo *s,
		   const struct counts *counts);

/*
 * How many samples, in thousandths, a function should have for being called by
 * those that have got their counts.
 */
uint64_t calls_expected(const struct calls *c, const_tree decl);

/* cold.cc */

/*
 * Had the profiled program the function, and never ran it?  It may have been
 * another one, as long as its places were not seen.
 */
bool cold_is(const struct samplefdo *s, const struct cgraph_node *node,
	     const struct instance *in, bool seen);

/*
 * Was it inlined in the profiled program, and in all those places never
 * sampled?  After flags_decide().
 */
bool cold_is_inlined(const struct samplefdo *s, const struct cgraph_node *node,
		     const struct instance *in);

/* May parts of a function that hardly ever run be taken for cold? */
bool cold_may_have_parts(const struct samplefdo *s, const_tree decl);

/*
 * Might the current function take much time after all, if another input runs
 * it?
 */
bool cold_may_take_long(void);

/*
 * Does a function call one that ran, and that nothing else which ran can have called?
 * ran: those without counts of which that is known, by DECL_UID().
 */
bool cold_must_have_run(const struct cgraph_node *node,
			const struct fdo_map *ran);

/* The current function hardly ever runs. */
void cold_make(const struct samplefdo *s, const struct instance *in);

/* indirect.cc */

/*
 * When all functions have their counts and calls: guess whom calls by a pointer
 * are of.  Returns how many were guessed.
 */
unsigned indirect_guess(const struct samplefdo *s, struct unit *u,
			const struct fdo_map *instances);

/* order.cc */

/*
 * Number the functions that are to be in the order of their first use.  Returns
 * how many there are.
 */
unsigned order_functions(const struct fdo_map *instances);

/* specialize.cc */

/*
 * When the current function has its counts: let GCC make code for the usual
 * values of divisors and sizes.  Returns for how many statements these are
 * known.
 */
unsigned specialize(const struct samplefdo *s, struct unit *u,
		    struct instance *in);

/* tests.cc */

/*
 * The block whose test GCC may compute together with that of this one, which is
 * only reached by it; if there is none, this one.
 */
basic_block tests_first(basic_block second);

/* Does a block do nothing that could not be done in vain, but for this? */
bool tests_is_idle(basic_block bb, const gimple *but);

/* graph.cc */

/* A function as counts.h sees it. */
struct graph {
	struct body body;
	struct flow_link *links;
	double *shares;
	double *sizes;
	bool *again; /* links that go round in a loop that begins with a test */
	bool *passed;	   /* blocks that are such a test, passed at first */
	bool *leaves;	   /* links that go from such a test out of the loop */
	uint32_t *decides; /* of each link: the next one, where it is certain */
	bool *ends;	   /* blocks that no edge leaves, where others return */
	edge *edges; /* of each link; NULL: a block that ends the program */
	uint32_t nlinks;
};

void graph_init(struct graph *g);
void graph_deinit(struct graph *g);

/* The test at the end of a block of the current function; or NULL. */
gimple *graph_test_of(basic_block bb);

/* Of what leaves its source goes this part over an edge, as GCC guesses. */
double graph_guessed_share(const_edge e);

/* FLOW_OUTSIDE: no block of the body. */
uint32_t graph_number(const_basic_block bb);

/* Does GCC know the loops of the current function? */
bool graph_has_loops(void);

/* evidence_shape.cc */

/*
 * What evidence_judge() asks of the current function's blocks; how much a sample
 * stands for is left 0.  Borrows the classes (mcf/classes.h).
 */
struct evidence_shape evidence_shape_new(const struct graph *g,
					 const uint32_t *classes);
void evidence_shape_free(struct evidence_shape *shape);

/* outcomes.cc */

/*
 * Shares of links by how tests came out in the profiled program, where the profile
 * says so.  sample: executions that one sample stands for, or 0; of fewer, it knows
 * next to nothing.
 */
void outcomes_take(const struct samplefdo *s, struct unit *u,
		   struct instance *in, uint64_t sample, struct graph *g);

/* constants.cc */

/* What a call passes; room for PASSED_MAX.  Returns how many are known. */
size_t constants_passed(const gimple *call, struct passed_value *values);

/* Parameters that tests of the current function depend on, a bit each. */
uint64_t constants_tested(void);

/* The share of each link where the current function got these values. */
void constants_decide(const struct graph *g, const struct passed *passed,
		      double *shares);

/* loops.cc */

struct known_loops {
	struct rounds *all;
	size_t n;
};

/* The current function's, in order of their numbers. */
struct known_loops loops_known(void);
void loops_free(struct known_loops *known);

/* gone.cc */

enum gone {
	GONE_NOT,
	GONE_ARRAY,  /* a formula, or a call that clears or copies an array */
	GONE_STRING, /* a call of strlen(), but not by each compiler */
};

/*
 * Of a loop with one exit and these blocks: what does the compiler make of it,
 * so that no code of it is a loop?
 */
enum gone gone_as(const class loop *loop, const basic_block *blocks);

/* clones.cc */

/* Behind GCC's pass "cp". */
ipa_opt_pass_d *clones_pass_new(const struct samplefdo *s);

/* annotate.cc */

enum annotated {
	ANNOTATED,
	ANNOTATED_COLD,	       /* never sampled */
	ANNOTATED_NOT_KNOWN,   /* not in the profile */
	ANNOTATED_TOO_FEW,     /* samples */
	ANNOTATED_UNFIT,       /* the source has changed */
	ANNOTATED_NO_EVIDENCE, /* no count at all, or all of one place */
	ANNOTATED_UNSOLVED,
};

/* All that the counts of a function are made of. */
struct annotation {
	struct graph g;
	struct evidence *evidence;
	struct calls_wanted wanted;
	struct counts_how how;
	bool doubt_zeros;
};

/* NULL: there is no solution.  The edges in the graph are not looked at. */
struct counts *annotation_solve(const struct annotation *a,
				struct fdo_error *err);
void annotation_free(struct annotation *a);

/* How many executions of a block one sample stands for, scaled; 0: not known */
uint64_t annotation_sample(const struct samplefdo *s,
			   const struct instance *in);

/*
 * Give the current function its counts, or leave GCC's guess.  *kept is what they are
 * made of, if others may be made of it once all calls are known, or NULL.
 */
enum annotated annotate(const struct samplefdo *s, struct unit *u,
			struct calls *calls, struct instance *in,
			struct annotation **kept);

/*
 * The counts of a function of which the profile has copies alone, where it is called
 * more often than these were entered: on the other ways nothing was left of them.
 * False: it is not.
 */
bool annotate_by_calls(const struct samplefdo *s, struct calls *calls,
		       const struct instance *in, struct annotation *a);

/* compare.cc */

/* Before the current function is annotated: remember GCC's own counts. */
void comparison_begin(struct comparison *c);

/* What its counts are made of; the comparison takes it. */
void comparison_keep(struct comparison *c, struct annotation *a);

/* When it is done: take its counts, and leave GCC its own. */
void comparison_end(struct comparison *c, const struct instance *in,
		    enum annotated result);

/* compare_exact.cc */

struct compared_function;

/*
 * Read the exact counts of the current function, which has got them by now;
 * blocks are those it had before, by number, and statements had such a number.
 */
void compare_read_exact(struct compared_function *f, basic_block *blocks,
			const struct fdo_map *statements);

simple_ipa_opt_pass *compare_pass_new(struct samplefdo *s);

/* pass.cc */

simple_ipa_opt_pass *pass_new(struct samplefdo *s);

/* Count in all functions, for the compiler or for the comparison. */
void pass_count(struct samplefdo *s);

/* repair.cc */

/* Has a function any that samples tell?  At a link, they come with the object files. */
bool may_have_counts(const struct samplefdo *s);

/* After the passes on statements. */
gimple_opt_pass *repair_pass_new(const struct samplefdo *s);

/* Before tail duplication. */
gimple_opt_pass *minmax_pass_new(const struct samplefdo *s);

/* Before the vectorizer. */
gimple_opt_pass *zeros_pass_new(const struct samplefdo *s);

#endif
