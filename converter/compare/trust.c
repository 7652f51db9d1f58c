#include "converter/compare/trust.h"

#include <math.h>

#include "converter/compare/side_by_side.h"
#include "converter/count/classify.h"
#include "converter/count/program.h"

/* Sums over both programs, of instructions executed. */
struct totals {
	double raw, count;    /* of the judged */
	double exact, shared; /* of the truth; in functions of both */
};

struct check {
	struct totals totals;
	struct trust trust;
	double covered;
};

typedef void visit(struct check *c, const struct program_function *judged,
		   const struct program_function *truth, size_t block);

/* All blocks of functions that one of the two has; NULL: it has not. */
static void visit_all(struct check *c, const struct program *judged,
		      const struct program *truth, visit *visit)
{
	const struct program *both[] = { judged, truth };
	struct side_by_side *s = side_by_side_new(both, 2);
	const struct program_function *f;

	while ((f = side_by_side_next(s)))
		for (size_t n = 0; n < f->cfg.nblocks; n++)
			visit(c, s->same[0], s->same[1], n);
	side_by_side_free(s);
}

static void add(struct check *c, const struct program_function *judged,
		const struct program_function *truth, size_t b)
{
	double size = (judged ? judged : truth)->cfg.blocks[b].ninstructions;

	if (judged) {
		c->totals.raw += judged->blocks[b].raw * size;
		c->totals.count += judged->blocks[b].count * size;
	}
	if (truth)
		c->totals.exact += truth->blocks[b].count * size;
	if (judged && truth)
		c->totals.shared += truth->blocks[b].count * size;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static void judge_class(struct trust_class *class, double weight, bool said,
			bool is)
{
	class->said += said ? weight : 0;
	class->is += is ? weight : 0;
	class->correct += said && is ? weight : 0;
}

static void judge(struct check *c, const struct program_function *judged,
		  const struct program_function *truth, size_t b)
{
	double exact = truth ? truth->blocks[b].count : 0, raw, weight, off;
	const struct program_block *block;
	enum program_class should;

	if (!judged)
		return;
	block = &judged->blocks[b];
	raw = block->raw * ratio(c->totals.shared, c->totals.raw);
	weight = fmax(raw, exact) * judged->cfg.blocks[b].ninstructions;
	should = classify_oracle(raw, exact);
	judge_class(&c->trust.over, weight, block->class == PROGRAM_OVER,
		    should == PROGRAM_OVER);
	judge_class(&c->trust.under, weight, block->class == PROGRAM_UNDER,
		    should == PROGRAM_UNDER);
	/* Errors are on the scale of the counts. */
	off = exact * ratio(c->totals.count, c->totals.shared) - block->count;
	if (fabs(off) <= block->error)
		c->covered += exact * judged->cfg.blocks[b].ninstructions;
}

struct trust trust_check(const struct program *judged,
			 const struct program *truth)
{
	struct check c = { 0 };

	visit_all(&c, judged, truth, add);
	visit_all(&c, judged, truth, judge);
	c.trust.covered = ratio(c.covered, c.totals.exact);
	return c.trust;
}

double trust_precision(const struct trust_class *class)
{
	return ratio(class->correct, class->said);
}

double trust_recall(const struct trust_class *class)
{
	return ratio(class->correct, class->is);
}
