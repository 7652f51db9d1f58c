/*
 * attribute_places.c - which function, body and key code is of.
 */
#include "converter/keys/attribute_private.h"

#include <string.h>

#include "base/map.h"
#include "converter/binary/lines.h"

static const char *other_file(const char *file, const char *own)
{
	return file && own && strcmp(file, own) == 0 ? NULL : file;
}

struct profile_function *attribute_function(struct attribution *a,
					    const struct lines_frame *frame)
{
	uint64_t *known = fdo_map_at(a->functions, (uintptr_t)frame);

	if (!*known)
		*known = (uintptr_t)profile_add_function(
			a->profile, frame->name, frame->file, frame->decl_line);
	return (void *)(uintptr_t)*known;
}

struct profile_body *attribute_body(struct attribution *a,
				    const struct lines_frame *frame)
{
	uint64_t *known = fdo_map_get(a->bodies, (uintptr_t)frame);
	struct profile_body *body;

	if (known)
		return (void *)(uintptr_t)*known;
	if (!frame->parent) {
		body = &attribute_function(a, frame)->body;
	} else {
		const struct lines_frame *parent = frame->parent;
		struct profile_key call = {
			.file = other_file(frame->call_file, parent->file),
			.line = (int32_t)(frame->call_line - parent->decl_line),
			.column = frame->call_column,
			.discriminator = frame->call_discriminator,
		};

		body = profile_add_inlined(a->profile,
					   attribute_body(a, parent), call,
					   frame->name, frame->file,
					   frame->decl_line);
	}
	*fdo_map_at(a->bodies, (uintptr_t)frame) = (uintptr_t)body;
	return body;
}

/*
 * Code that the compiler gave no line is shown with that of the code before
 * it, which may be of a function that the copy is inlined into: a call of
 * f.part.0 in a copy of f, say.  That line is no place of f.
 */
static bool is_of_host(const struct lines_place *place)
{
	const struct lines_frame *frame = place->frame, *host = frame->parent;

	while (host && (host->file != place->file || host->decl_line == 0 ||
			host->decl_line > place->line))
		host = host->parent;
	return host &&
	       (frame->file != place->file || frame->decl_line > place->line ||
		frame->decl_line < host->decl_line);
}

const struct lines_frame *attribute_frame(const struct lines_place *place)
{
	const struct lines_frame *frame = place->frame;

	while (frame && frame->is_of_other)
		frame = frame->parent;
	return frame && frame->name[0] ? frame : NULL;
}

bool attribute_has_place(const struct lines_place *place)
{
	return place->frame && attribute_frame(place) == place->frame &&
	       place->line != 0 && !is_of_host(place);
}

struct profile_key attribute_key(struct attribution *a,
				 const struct lines_place *place)
{
	const char *file = place->file, *own = place->frame->file;

	/* Both are of the same table: mostly, there is nothing to look up. */
	return (struct profile_key){
		.file = file == own ? NULL
				    : other_file(profile_text(a->profile, file),
						 own),
		.line = (int32_t)(place->line - place->frame->decl_line),
		.column = place->column,
		.discriminator = place->discriminator,
	};
}
