#include "base/build_id.h"

#include <stdio.h>
#include <string.h>

struct fdo_build_id fdo_build_id(const void *bytes, size_t size)
{
	struct fdo_build_id id = { .size = size < FDO_BUILD_ID_MAX
						   ? size
						   : FDO_BUILD_ID_MAX };

	if (id.size)
		memcpy(id.bytes, bytes, id.size);
	return id;
}

int fdo_build_id_compare(const struct fdo_build_id *a,
			 const struct fdo_build_id *b)
{
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return memcmp(a->bytes, b->bytes, a->size);
}

bool fdo_build_id_same(const struct fdo_build_id *a,
		       const struct fdo_build_id *b)
{
	const struct fdo_build_id *longer = a->size > b->size ? a : b;
	size_t size = a->size + b->size - longer->size;

	if (size == 0)
		return true;
	for (size_t i = size; i < longer->size; i++)
		if (longer->bytes[i])
			return false;
	return memcmp(a->bytes, b->bytes, size) == 0;
}

void fdo_build_id_text(const struct fdo_build_id *id,
		       char text[FDO_BUILD_ID_TEXT])
{
	text[0] = '\0';
	for (size_t i = 0; i < id->size; i++)
		sprintf(text + 2 * i, "%02x", id->bytes[i]);
}
