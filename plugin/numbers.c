#include "plugin/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const char region[] = "._omp_fn.";

/* More of them are no number of the compiler's. */
enum { MAX_DIGITS = 6 };

static size_t digits_at(const char *text)
{
	size_t n = strspn(text, "0123456789");

	return n <= MAX_DIGITS ? n : 0;
}

/* E, a number and _; at is behind the E. */
static bool lambda_number(const char *name, size_t at, struct number *ret)
{
	size_t length = digits_at(name + at);

	if (name[at + length] != '_')
		return false;
	*ret = (struct number){
		.at = at,
		.length = length,
		.value = length ? (unsigned)atoi(name + at) + 1 : 0,
		.is_lambda = true,
	};
	return true;
}

size_t numbers_of_lambdas(const char *name, struct number *ret)
{
	const char *first =
		strncmp(name, "_Z", 2) == 0 ? strstr(name, "Ul") : NULL;
	size_t n = 0;

	for (const char *e = first; e && (e = strchr(e, 'E')); e++) {
		struct number number;

		if (!lambda_number(name, (size_t)(e + 1 - name), &number))
			continue;
		if (n == NUMBERS_MAX)
			return 0;
		ret[n++] = number;
	}
	return n;
}

static bool own_of_region(const char *name, struct number *ret)
{
	const char *at = strstr(name, region);
	size_t length;

	if (!at || at == name)
		return false;
	at += strlen(region);
	length = digits_at(at);
	if (!length || at[length])
		return false;
	*ret = (struct number){ .at = (size_t)(at - name),
				.length = length,
				.value = (unsigned)atoi(at) };
	return true;
}

/* What is behind it is the operator that is called: cl. */
bool numbers_own(const char *name, struct number *ret)
{
	struct number numbers[NUMBERS_MAX];

	for (size_t n = numbers_of_lambdas(name, numbers); n > 0; n--) {
		const char *end = name + numbers[n - 1].at +
				  numbers[n - 1].length + strlen("_");

		if (strncmp(end, "cl", 2) == 0) {
			*ret = numbers[n - 1];
			return true;
		}
	}
	return own_of_region(name, ret);
}

/* _ZZ4mainENKUliE0_clEi is the call of Z4mainEUliE0_. */
char *numbers_type(const char *name, const struct number *own)
{
	size_t context = strlen("_Z"), ul = own->at;
	char *ret = fdo_alloc(own->at + 1, 1);

	if (!own->is_lambda)
		return ret;
	while (ul > context && strncmp(name + ul, "NKUl", 4) != 0 &&
	       strncmp(name + ul, "NUl", 3) != 0)
		ul--;
	if (ul == context)
		return ret;
	memcpy(ret, name + context, ul - context);
	context = ul - context;
	ul += name[ul + 1] == 'K' ? 2 : 1;
	memcpy(ret + context, name + ul, own->at - ul);
	return ret;
}

char *numbers_replace(const char *name, const struct number *number,
		      unsigned value)
{
	size_t room = strlen(name) + 16, n = number->at;
	char *ret = fdo_alloc(room, 1);

	memcpy(ret, name, n);
	if (!number->is_lambda)
		n += (size_t)snprintf(ret + n, room - n, "%u", value);
	else if (value)
		n += (size_t)snprintf(ret + n, room - n, "%u", value - 1);
	strcpy(ret + n, name + number->at + number->length);
	return ret;
}

char *numbers_without(const char *name, const struct number *numbers, size_t n)
{
	char *ret = fdo_alloc(strlen(name) + 1, 1);
	size_t length = 0, from = 0;

	for (size_t i = 0; i < n; i++) {
		memcpy(ret + length, name + from, numbers[i].at - from);
		length += numbers[i].at - from;
		from = numbers[i].at + numbers[i].length;
	}
	strcpy(ret + length, name + from);
	return ret;
}
