#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool fdo_fail(struct fdo_error *err, const char *format, ...)
{
	struct fdo_error text; /* err->text may be among the arguments */
	va_list args;

	va_start(args, format);
	vsnprintf(text.text, sizeof(text.text), format, args);
	va_end(args);
	*err = text;
	return false;
}
