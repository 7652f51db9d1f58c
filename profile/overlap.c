/*
 * overlap.c - both profiles are in one order, so that one walk over the two
 * meets everything: sums first, then what is common.
 */
#include "profile/overlap.h"

#include "profile/private.h"
#include "profile/profile.h"

struct sums {
	double counts, totals;
};

/* Of each line and column there is one record without discriminator. */
static bool speaks(const struct profile_count *count)
{
	return count->key.discriminator == PROFILE_ANY;
}

static void add_counts(const struct profile_body *body, struct sums *sums)
{
	for (size_t i = 0; i < body->ncounts; i++)
		if (speaks(&body->counts[i]))
			sums->counts += (double)body->counts[i].count;
	for (size_t i = 0; i < body->ninlined; i++)
		add_counts(body->inlined[i], sums);
}

static struct sums sums_of(const struct profile *p)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < p->nfunctions; i++) {
		add_counts(&p->functions[i]->body, &sums);
		sums.totals += (double)p->functions[i]->body.total;
	}
	return sums;
}

struct walk {
	struct sums a, b;
	struct profile_overlap result;
};

static double smaller_share(double x, double x_sum, double y, double y_sum)
{
	double a = x_sum > 0 ? x / x_sum : 0, b = y_sum > 0 ? y / y_sum : 0;

	return a < b ? a : b;
}

static void count_alone(const struct profile_body *body, uint64_t *alone)
{
	for (size_t i = 0; i < body->ncounts; i++)
		*alone += speaks(&body->counts[i]) && body->counts[i].count;
	for (size_t i = 0; i < body->ninlined; i++)
		count_alone(body->inlined[i], alone);
}

static void common_counts(struct walk *w, const struct profile_body *a,
			  const struct profile_body *b)
{
	size_t i = 0, j = 0;

	while (i < a->ncounts && j < b->ncounts) {
		const struct profile_count *x = &a->counts[i];
		const struct profile_count *y = &b->counts[j];
		int order = profile_compare_keys(&x->key, &y->key);

		if (order == 0 && speaks(x)) {
			w->result.keys +=
				smaller_share((double)x->count, w->a.counts,
					      (double)y->count, w->b.counts);
			w->result.common++;
		} else if (speaks(order < 0 ? x : y) && order != 0) {
			w->result.only_a += order < 0 && x->count;
			w->result.only_b += order > 0 && y->count;
		}
		i += order <= 0;
		j += order >= 0;
	}
	for (; i < a->ncounts; i++)
		w->result.only_a += speaks(&a->counts[i]) && a->counts[i].count;
	for (; j < b->ncounts; j++)
		w->result.only_b += speaks(&b->counts[j]) && b->counts[j].count;
}

static void common_bodies(struct walk *w, const struct profile_body *a,
			  const struct profile_body *b)
{
	size_t i = 0, j = 0;

	common_counts(w, a, b);
	while (i < a->ninlined || j < b->ninlined) {
		int order;

		if (i == a->ninlined)
			order = 1;
		else if (j == b->ninlined)
			order = -1;
		else
			order = profile_compare_inlined(a->inlined[i],
							b->inlined[j]);
		if (order == 0)
			common_bodies(w, a->inlined[i], b->inlined[j]);
		else if (order < 0)
			count_alone(a->inlined[i], &w->result.only_a);
		else
			count_alone(b->inlined[j], &w->result.only_b);
		i += order <= 0;
		j += order >= 0;
	}
}

struct profile_overlap profile_overlap(struct profile *a, struct profile *b)
{
	struct walk w = { 0 };
	size_t i = 0, j = 0;

	profile_sort(a);
	profile_sort(b);
	w.a = sums_of(a);
	w.b = sums_of(b);
	while (i < a->nfunctions || j < b->nfunctions) {
		const struct profile_body *x =
			i < a->nfunctions ? &a->functions[i]->body : NULL;
		const struct profile_body *y =
			j < b->nfunctions ? &b->functions[j]->body : NULL;
		int order = !x ? 1 : !y ? -1 : profile_compare_bodies(x, y);

		if (order == 0) {
			common_bodies(&w, x, y);
			w.result.functions +=
				smaller_share((double)x->total, w.a.totals,
					      (double)y->total, w.b.totals);
		} else if (order < 0) {
			count_alone(x, &w.result.only_a);
		} else {
			count_alone(y, &w.result.only_b);
		}
		i += order <= 0;
		j += order >= 0;
	}
	return w.result;
}
