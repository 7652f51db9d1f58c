/*
 * numbers.c - the compiler's numbers in names.
 */
#include "plugin/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "testsuite/lib/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *name;
	int own;	   /* -1: none */
	size_t nlambdas;   /* that it names */
	const char *type;  /* of the lambda whose call it is */
	const char *other; /* with 2 as its own number */
} names[] = {
	{ "_ZZ4mainENKUlvE_clEv", 0, 1, "Z4mainEUlvE",
	  "_ZZ4mainENKUlvE1_clEv" },
	{ "_ZZ4mainENUliE10_clEi", 11, 1, "Z4mainEUliE",
	  "_ZZ4mainENUliE1_clEi" },
	{ "_ZZZ4mainENKUlvE_clEvENKUlvE3_clEv", 4, 2,
	  "ZZ4mainENKUlvE_clEvEUlvE", "_ZZZ4mainENKUlvE_clEvENKUlvE1_clEv" },
	{ "_ZZ4mainENKUlT_T0_E_clIiiEEDaS_S0_", 0, 1, "Z4mainEUlT_T0_E",
	  "_ZZ4mainENKUlT_T0_E1_clIiiEEDaS_S0_" },
	{ "_Z5timesIZL7lambdasiEUliE2_EiiT_", -1, 1, NULL, NULL },
	{ "_Z1fIZ4mainEUliE_Z4mainEUliE0_EvT_T0_", -1, 2, NULL, NULL },
	{ "_Z1fv", -1, 0, NULL, NULL },
	{ "UlE_cl", -1, 0, NULL, NULL },
	{ "work._omp_fn.0", 0, 0, "", "work._omp_fn.2" },
	{ "work._omp_fn.12", 12, 0, "", "work._omp_fn.2" },
	{ "work._omp_fn.", -1, 0, NULL, NULL },
	{ "work._omp_fn.1.part.0", -1, 0, NULL, NULL },
	{ "work._omp_fn.12345678", -1, 0, NULL, NULL },
	{ "._omp_fn.1", -1, 0, NULL, NULL },
	{ "nested.1", -1, 0, NULL, NULL },
	{ "", -1, 0, NULL, NULL },
};

static void is_text(char *text, const char *want, const char *what)
{
	check(strcmp(text, want) == 0, what);
	free(text);
}

static void all_names(void)
{
	for (size_t i = 0; i < COUNT(names); i++) {
		struct number all[NUMBERS_MAX], own;
		bool has = numbers_own(names[i].name, &own);

		check(has == (names[i].own >= 0) &&
			      (!has || (int)own.value == names[i].own),
		      names[i].name);
		check(numbers_of_lambdas(names[i].name, all) ==
			      names[i].nlambdas,
		      names[i].name);
		if (!has)
			continue;
		is_text(numbers_type(names[i].name, &own), names[i].type,
			names[i].name);
		is_text(numbers_replace(names[i].name, &own, 2), names[i].other,
			names[i].name);
	}
}

static void without(void)
{
	static const char name[] = "_Z1fIZ4mainEUliE_Z4mainEUliE12_EvT_T0_";
	struct number all[NUMBERS_MAX];
	size_t n = numbers_of_lambdas(name, all);

	is_text(numbers_without(name, all, n),
		"_Z1fIZ4mainEUliE_Z4mainEUliE_EvT_T0_", "without all numbers");
	is_text(numbers_replace(name, &all[0], 0), name, "the first has none");
}

static void too_many(void)
{
	char name[8 + 3 * NUMBERS_MAX] = "_ZUl";
	struct number all[NUMBERS_MAX];

	for (int i = 0; i < NUMBERS_MAX; i++)
		strcat(name, "E_");
	check(numbers_of_lambdas(name, all) == NUMBERS_MAX,
	      "as many as may be");
	strcat(name, "E_");
	check(numbers_of_lambdas(name, all) == 0, "more of them");
}

int main(void)
{
	all_names();
	without();
	too_many();
	return done();
}
