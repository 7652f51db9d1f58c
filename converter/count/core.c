#include "converter/count/core.h"

#include <string.h>

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t latest(const struct core *c, uint64_t set, uint32_t time)
{
	for (; set; set &= set - 1)
		time = later(time, c->ready[__builtin_ctzll(set)]);
	return time;
}

void core_begin(struct core *c)
{
	memset(c, 0, sizeof(*c));
}

static uint32_t dispatch(struct core *c, const struct walk_step *step,
			 const struct walk_options *options)
{
	unsigned cost = !(step->flags & WALK_FUSED);

	if (c->dispatched + cost > options->width) {
		c->cycle++;
		c->dispatched = 0;
	}
	if (c->count >= options->window) {
		uint32_t oldest =
			c->ring[(c->count - options->window) & WALK_WINDOW];

		if (c->cycle < oldest) {
			c->cycle = oldest;
			c->dispatched = 0;
		}
	}
	c->dispatched += cost;
	return c->cycle;
}

static uint32_t execute(struct core *c, const struct walk_step *step,
			uint32_t start, const struct walk_options *options)
{
	uint32_t done;

	start = latest(c, step->addresses, start);
	if (step->flags & WALK_LOADS)
		start += options->load;
	done = latest(c, step->reads, start) + step->latency;
	for (uint64_t set = step->writes; set; set &= set - 1)
		c->ready[__builtin_ctzll(set)] = done;
	return done;
}

static unsigned retire(struct core *c, const struct walk_options *options)
{
	uint32_t before = c->retired;

	if (c->done > c->retired) {
		c->retired = c->done;
		c->retirees = 0;
	} else if (c->retirees >= options->retire) {
		c->retired++;
		c->retirees = 0;
	}
	c->retirees++;
	c->ring[c->count++ & WALK_WINDOW] = c->retired;
	return c->retired - before;
}

unsigned core_step(struct core *c, const struct walk_step *step,
		   const struct walk_options *options)
{
	c->done = execute(c, step, dispatch(c, step, options) + 1, options);
	return retire(c, options);
}

void core_group_ends(struct core *c)
{
	c->cycle++;
	c->dispatched = 0;
}

void core_redirect(struct core *c, const struct walk_options *options)
{
	c->cycle = later(c->cycle, c->done + options->redirect);
	c->dispatched = 0;
}

void core_drain(struct core *c)
{
	memset(c->ready, 0, sizeof(c->ready));
	c->cycle = later(c->cycle, c->retired);
	c->dispatched = 0;
}
