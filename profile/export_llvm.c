/*
 * export_llvm.c - LLVM's sample profile as text:
 *
 *	NAME:TOTAL:HEAD
 *	 OFFSET[.DISCRIMINATOR]: COUNT
 *	 OFFSET[.DISCRIMINATOR]: NAME:TOTAL	and its own, one blank deeper
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/output.h"
#include "profile/export.h"
#include "profile/places.h"
#include "profile/profile.h"

static void print_place(uint32_t place, int depth, FILE *out)
{
	fprintf(out, "%*s%" PRIu32, depth, "", place >> 16);
	if (place & 0xffff)
		fprintf(out, ".%" PRIu32, place & 0xffff);
	fputs(": ", out);
}

/* A line has one name. */
static bool is_name(const char *text)
{
	return !strchr(text, '\n');
}

static void print_node(const struct places *node, int depth, FILE *out)
{
	for (size_t i = 0; i < node->ncounts; i++) {
		print_place(node->counts[i].place, depth, out);
		fprintf(out, "%" PRIu64 "\n", node->counts[i].count);
	}
	for (size_t i = 0; i < node->ninlined; i++) {
		const struct places *inlined = &node->inlined[i];

		if (!is_name(inlined->name))
			continue;
		print_place(inlined->call, depth, out);
		fprintf(out, "%s:%" PRIu64 "\n", inlined->name, inlined->total);
		print_node(inlined, depth + 1, out);
	}
}

bool profile_export_llvm(struct profile *p, const char *path,
			 struct fdo_error *err)
{
	struct fdo_output out;
	struct places *root;

	if (!fdo_output_open(&out, path, err))
		return false;
	profile_sort(p);
	root = places_new(p, true);
	for (size_t i = 0; i < root->ninlined; i++) {
		const struct places *f = &root->inlined[i];

		if (!is_name(f->name))
			continue;
		fprintf(out.stream, "%s:%" PRIu64 ":%" PRIu64 "\n", f->name,
			f->total, f->entry);
		print_node(f, 1, out.stream);
	}
	places_free(root);
	return fdo_output_close(&out, err);
}
