#include "converter/processor/core.h"

#include <string.h>

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t latest(const uint32_t *ready, uint64_t set, uint32_t time)
{
	for (; set; set &= set - 1)
		time = later(time, ready[__builtin_ctzll(set)]);
	return time;
}

void core_begin(struct core *c)
{
	memset(c, 0, sizeof(*c));
}

static uint32_t dispatch(struct core_now *now, const uint32_t *ring, bool fused,
			 const struct walk_options *options)
{
	unsigned cost = !fused;

	if (now->dispatched + cost > options->width) {
		now->cycle++;
		now->dispatched = 0;
	}
	if (now->count >= options->window) {
		uint32_t oldest =
			ring[(now->count - options->window) & WALK_WINDOW];

		if (now->cycle < oldest) {
			now->cycle = oldest;
			now->dispatched = 0;
		}
	}
	now->dispatched += cost;
	return now->cycle;
}

/*
 * Mostly the registers are few, and nobody can foretell how many: to look at
 * all that there is room for takes less time than a wrong guess.
 */
static uint32_t execute_listed(uint32_t *ready, const struct walk_step *step,
			       uint32_t start, unsigned load)
{
	uint32_t done;

	start = later(start, ready[step->address[0]]);
	start = later(start, ready[step->address[1]]);
	start += step->flags & WALK_LOADS ? load : 0;
	start = later(start, ready[step->read[0]]);
	start = later(start, ready[step->read[1]]);
	done = start + step->latency;
	ready[step->write[0]] = done;
	ready[step->write[1]] = done;
	ready[step->write[2]] = done;
	return done;
}

static uint32_t execute(uint32_t *ready, const struct walk_step *step,
			uint32_t start, unsigned load)
{
	uint32_t done;

	start = latest(ready, step->addresses, start);
	if (step->flags & WALK_LOADS)
		start += load;
	done = latest(ready, step->reads, start) + step->latency;
	for (uint64_t set = step->writes; set; set &= set - 1)
		ready[__builtin_ctzll(set)] = done;
	return done;
}

static uint32_t retire(struct core_now *now, uint32_t *ring, unsigned most)
{
	uint32_t before = now->retired;

	if (now->done > now->retired) {
		now->retired = now->done;
		now->retirees = 0;
	} else if (now->retirees >= most) {
		now->retired++;
		now->retirees = 0;
	}
	now->retirees++;
	ring[now->count++ & WALK_WINDOW] = now->retired;
	return now->retired - before;
}

/* In copies, which nothing else can be at: they stay in registers. */
void core_steps(struct core *c, const struct walk_step *steps, unsigned n,
		const struct walk_options *options, uint32_t *waited)
{
	const struct walk_options fixed = *options;
	struct core_now now = c->now;

	for (unsigned i = 0; i < n; i++) {
		bool fused = steps[i].flags & WALK_FUSED;
		uint32_t start = dispatch(&now, c->ring, fused, &fixed) + 1;

		if (steps[i].is_listed)
			now.done = execute_listed(c->ready, &steps[i], start,
						  fixed.load);
		else
			now.done =
				execute(c->ready, &steps[i], start, fixed.load);
		waited[i] = retire(&now, c->ring, fixed.retire);
	}
	c->now = now;
}

void core_group_ends(struct core *c)
{
	c->now.cycle++;
	c->now.dispatched = 0;
}

void core_redirect(struct core *c, const struct walk_options *options)
{
	c->now.cycle = later(c->now.cycle, c->now.done + options->redirect);
	c->now.dispatched = 0;
}

void core_drain(struct core *c)
{
	memset(c->ready, 0, sizeof(c->ready));
	c->now.cycle = later(c->now.cycle, c->now.retired);
	c->now.dispatched = 0;
}
