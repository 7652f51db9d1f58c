#include "converter/output.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/output.h"
#include "converter/arguments.h"
#include "profile/export.h"
#include "profile/profile.h"

enum { USUAL_GCC = 12 };

static bool set_format(struct output *output, const char *name,
		       struct fdo_error *err)
{
	static const char *const names[OUTPUT_FORMATS] = {
		[OUTPUT_IS_SAMPLEFDO] = "samplefdo",
		[OUTPUT_IS_TEXT] = "text",
		[OUTPUT_IS_GCC] = "gcc",
		[OUTPUT_IS_LLVM] = "llvm",
	};

	int format =
		argument_choice("format", name, names, OUTPUT_FORMATS, err);

	if (format >= 0)
		output->format = format;
	return format >= 0;
}

bool output_set(struct output *output, int option, const char *value,
		struct fdo_error *err)
{
	switch (option) {
	case 'o':
		output->path = value;
		return true;
	case OUTPUT_FORMAT:
		return set_format(output, value, err);
	case OUTPUT_GCC_VERSION:
		return argument_number_in("gcc-version", value,
					  PROFILE_GCC_FIRST, PROFILE_GCC_LAST,
					  &output->gcc, err);
	case OUTPUT_TEXT:
		output->format = OUTPUT_IS_TEXT;
		return true;
	default:
		return false;
	}
}

bool output_check(const struct output *output, struct fdo_error *err)
{
	if (!output->path)
		return fdo_fail(err, "no -o PROFILE given");
	if (!*output->path)
		return fdo_fail(err, "--output: an empty name");
	return !output->gcc || output->format == OUTPUT_IS_GCC ||
	       fdo_fail(err, "--gcc-version is for --format=gcc");
}

static bool write_text(struct profile *profile, const char *path,
		       struct fdo_error *err)
{
	struct fdo_output out;

	if (!fdo_output_open(&out, path, err))
		return false;
	profile_print(profile, out.stream);
	return fdo_output_close(&out, err);
}

bool output_write(const struct output *output, struct profile *profile,
		  struct fdo_error *err)
{
	switch (output->format) {
	case OUTPUT_IS_TEXT:
		return write_text(profile, output->path, err);
	case OUTPUT_IS_GCC:
		return profile_export_gcc(profile,
					  output->gcc ? output->gcc : USUAL_GCC,
					  output->path, err);
	case OUTPUT_IS_LLVM:
		return profile_export_llvm(profile, output->path, err);
	default:
		return profile_write(profile, output->path, err);
	}
}
