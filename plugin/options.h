/*
 * options.h - what the user said after -fplugin-arg-samplefdo-.
 *
 *	struct options o;
 *	options_default(&o);
 *	if (!options_set(&o, "vote", "max", err))
 *		... err->text says what is wrong ...
 *
 * Ownership  Texts are the caller's and must outlive the struct.
 * Errors     An unknown option, a missing or a bad value.
 */
#ifndef PLUGIN_OPTIONS_H
#define PLUGIN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/vote.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fdo_error;

enum model {
	MODEL_DEFAULT, /* trust a key by how well it tells blocks apart */
	MODEL_CGO10,   /* as the CGO 2010 paper: all keys are equal */
};

struct options {
	const char *profile; /* file; NULL: not given */
	const char *dump;    /* file; NULL: none */
	const char *compare; /* file; NULL: counts are for the compiler */
	enum vote vote;
	enum model model;
	uint64_t min_samples; /* fewer in a function: GCC's own guess stays */
	bool cold;	      /* functions that were never sampled are cold */
	bool inlines;	      /* early, what was inlined in the program */
	bool only_inlines;    /* and nothing else */
	bool verbose;
	bool warn; /* of functions that the profile does not fit */
};

void options_default(struct options *o);

/* One option; value is NULL where the user gave none. */
bool options_set(struct options *o, const char *name, const char *value,
		 struct fdo_error *err);

/* All of them with their meaning, for -fplugin's --help. */
const char *options_help(void);

#ifdef __cplusplus
}
#endif
#endif
