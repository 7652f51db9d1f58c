/*
 * gcc-compat.h - GCC's headers in the order they need, and all that differs
 * between its versions.
 */
#ifndef PLUGIN_GCC_COMPAT_H
#define PLUGIN_GCC_COMPAT_H

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "stringpool.h"
#include "attribs.h"
#include "fold-const.h"
#include "function.h"
#include "basic-block.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "tree-pass.h"
#include "context.h"
#include "cgraph.h"
#include "cfganal.h"
#include "cfgcleanup.h"
#include "cfghooks.h"
#include "tree-cfg.h"
#include "tree-cfgcleanup.h"
#include "ssa.h"
#include "alloc-pool.h"
#include "symbol-summary.h"
#if GCCPLUGIN_VERSION_MAJOR >= 14
#include "sreal.h"
#include "ipa-cp.h"
#endif
#include "ipa-prop.h"
#include "ipa-utils.h"
#include "ipa-fnsummary.h"
#include "ipa-inline.h"
#include "tree-inline.h"
#include "tree-into-ssa.h"
#include "predict.h"
#include "profile.h"
#include "value-prof.h"
#include "gcov-io.h"
#include "toplev.h"
#include "opts.h"
#include "options.h"
#include "diagnostic.h"
#include "intl.h"
#include "langhooks.h"
#include "dominance.h"

#if GCCPLUGIN_VERSION_MAJOR < 11
#error "GCC 11 is the oldest that is supported"
#endif

/* GCC 16 has neither these macros nor the name of this kind of message. */
#if GCCPLUGIN_VERSION_MAJOR >= 16
#define CONST_CAST(type, value) (const_cast<type>(value))
#define CONST_CAST_TREE(value)	CONST_CAST(tree, value)
#define DK_UNSPECIFIED		((int)diagnostics::kind::unspecified)
#endif

/*
 * Which of the pieces of code of a line and column this is.  Up to GCC 12
 * each block has one discriminator, later each location has its own.
 */
#define COMPAT_BLOCKS_HAVE_DISCRIMINATORS (GCCPLUGIN_VERSION_MAJOR <= 12)

static inline unsigned compat_discriminator(const_basic_block block,
					    location_t where)
{
#if GCCPLUGIN_VERSION_MAJOR <= 12
	(void)where;
	return block->discriminator;
#else
	(void)block;
	return get_discriminator_from_loc(where);
#endif
}

/* Shall there be no warning of a statement, or of what is copied of it? */
static inline void compat_mute(gimple *statement, bool mute)
{
#if GCCPLUGIN_VERSION_MAJOR <= 11
	gimple_set_no_warning(statement, mute);
#else
	suppress_warning(statement, all_warnings, mute);
#endif
}

static inline bool compat_is_mute(const gimple *statement)
{
#if GCCPLUGIN_VERSION_MAJOR <= 11
	return gimple_no_warning_p(statement);
#else
	return warning_suppressed_p(statement, all_warnings);
#endif
}

/* A count that GCC believes, as it does one that was measured. */
static inline profile_count compat_precise_count(int64_t n)
{
	return profile_count::from_gcov_type(n);
}

static inline profile_probability compat_precise_share(int64_t part,
						       int64_t whole)
{
	return profile_probability::probability_in_gcov_type(part, whole);
}

/* One that may be wrong. */
static inline profile_probability compat_guessed_share(int64_t part,
						       int64_t whole)
{
	return compat_precise_share(part, whole).adjusted();
}

#endif
