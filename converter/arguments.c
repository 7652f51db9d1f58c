#include "converter/arguments.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"

bool argument_number(const char *name, const char *argument, uint64_t *ret,
		     struct fdo_error *err)
{
	return fdo_text_number(argument, 10, ret) ||
	       fdo_fail(err, "--%s: '%s' is not a number", name, argument);
}

bool argument_number_in(const char *name, const char *argument, uint64_t least,
			uint64_t most, uint64_t *ret, struct fdo_error *err)
{
	if (argument_number(name, argument, ret, err) && *ret >= least &&
	    *ret <= most)
		return true;
	return fdo_fail(err, "--%s '%s': must be %" PRIu64 " to %" PRIu64, name,
			argument, least, most);
}

bool argument_folder(const char *name, const char *argument,
		     struct fdo_error *err)
{
	struct stat status;
	int reason = stat(argument, &status) != 0 ? errno
		     : !S_ISDIR(status.st_mode)	  ? ENOTDIR
						  : 0;

	return !reason ||
	       fdo_fail(err, "--%s: %s: %s", name, argument, strerror(reason));
}

bool argument_pids(const char *argument, pid_t **ret, size_t *n,
		   struct fdo_error *err)
{
	char *list = fdo_copy(argument), *rest = list, *word;
	uint64_t number = 0;
	size_t room = *n;
	bool done = true;

	while (done && (word = strsep(&rest, ","))) {
		done = argument_number_in("pid", word, 1, INT32_MAX, &number,
					  err);
		*ret = fdo_grow(*ret, *n, &room, sizeof(**ret));
		(*ret)[(*n)++] = number;
	}
	free(list);
	return done;
}

int argument_choice(const char *what, const char *argument,
		    const char *const *words, int n, struct fdo_error *err)
{
	char all[sizeof(err->text)] = "";

	for (int i = 0; i < n; i++) {
		size_t length = strlen(all);

		if (strcmp(argument, words[i]) == 0)
			return i;
		snprintf(all + length, sizeof(all) - length, "%s%s",
			 i ? ", " : "", words[i]);
	}
	fdo_fail(err, "no %s '%s' (there are: %s)", what, argument, all);
	return -1;
}
