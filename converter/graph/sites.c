/*
 * sites.c - from each site back and on, as long as nothing writes the register.
 */
#include "converter/graph/sites.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/graph/cfg.h"
#include "converter/graph/decode.h"

struct finder {
	const struct cfg *cfg;
	const struct decoder *decoder;
	struct sites *sites;
};

static struct insn_operands operands_of(const struct finder *f, uint32_t i)
{
	const struct insn *insn = &f->cfg->insns[i];
	struct insn_operands o;

	decode_operands(f->decoder, cfg_bytes(f->cfg, insn), insn, &o);
	return o;
}

static bool writes(const struct finder *f, uint32_t i, uint8_t number)
{
	struct insn_operands o = operands_of(f, i);

	return insn_changes(&f->cfg->insns[i], &o) & REG_BIT(number);
}

static void add_view(struct finder *f, uint32_t insn, uint8_t number,
		     uint8_t bits)
{
	struct sites *s = f->sites;

	s->views = fdo_grow(s->views, s->nviews, &s->room_views,
			    sizeof(*s->views));
	s->views[s->nviews++] =
		(struct site_view){ insn, s->nsites - 1, number, bits };
}

static void add_site(struct finder *f, struct site site)
{
	struct sites *s = f->sites;

	s->sites = fdo_grow(s->sites, s->nsites, &s->room_sites,
			    sizeof(*s->sites));
	s->sites[s->nsites++] = site;
}

/* Is the view's register a copy that an instruction makes of another one? */
static bool is_copied(const struct finder *f, uint32_t i,
		      struct site_view *view)
{
	struct insn_operands o;

	if (f->cfg->insns[i].opcode != ZYDIS_MNEMONIC_MOV)
		return false;
	o = operands_of(f, i);
	if (o.operand[0].kind != OPERAND_REG ||
	    o.operand[1].kind != OPERAND_REG ||
	    o.operand[0].reg != view->number || o.operand[1].reg > REG_R15 ||
	    o.operand[1].bits < 32)
		return false;
	view->number = o.operand[1].reg;
	if (view->bits > o.operand[1].bits)
		view->bits = o.operand[1].bits;
	return true;
}

static void reverse(struct site_view *views, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct site_view view = views[i];

		views[i] = views[n - 1 - i];
		views[n - 1 - i] = view;
	}
}

/* Where the last site's register, or what it is a copy of, has been so. */
static void look_back(struct finder *f)
{
	const struct site *site = &f->sites->sites[f->sites->nsites - 1];
	uint32_t first = f->cfg->blocks[site->block].first_insn;
	size_t before = f->sites->nviews;
	struct site_view view = { .number = site->number, .bits = site->bits };

	for (uint32_t i = site->insn;; i--) {
		add_view(f, i, view.number, view.bits);
		if (i == first || (!is_copied(f, i - 1, &view) &&
				   writes(f, i - 1, view.number)))
			break;
	}
	reverse(f->sites->views + before, f->sites->nviews - before);
}

/* Where it still will be after the site, or after what the site writes. */
static void look_on(struct finder *f, bool written_by_site)
{
	const struct site *site = &f->sites->sites[f->sites->nsites - 1];
	const struct cfg_block *block = &f->cfg->blocks[site->block];
	uint32_t end = block->first_insn + block->ninsns;
	bool ended = !written_by_site && writes(f, site->insn, site->number);

	for (uint32_t i = site->insn + 1; i < end && !ended; i++) {
		add_view(f, i, site->number, site->bits);
		ended = writes(f, i, site->number);
	}
}

/* Of bytes, ah and the like would be a part of another register. */
static void add_division(struct finder *f, uint32_t insn, uint32_t block)
{
	struct insn_operands o = operands_of(f, insn);
	struct site site = {
		.insn = insn,
		.block = block,
		.kind = SITE_DIVISOR,
		.number = o.operand[0].reg,
		.bits = o.operand[0].bits,
		.is_signed = f->cfg->insns[insn].divides_signed,
	};

	if (site.bits < 16)
		return;
	if (o.operand[0].kind == OPERAND_REG && site.number <= REG_R15) {
		add_site(f, site);
		look_back(f);
		look_on(f, false);
	}
	if (site.is_signed)
		return;
	site.kind = SITE_QUOTIENT;
	site.number = REG_RAX;
	add_site(f, site);
	look_on(f, true);
}

static bool takes_size(const char *name)
{
	static const char *const names[] = { "memcpy", "memmove", "mempcpy",
					     "memset" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void add_call(struct finder *f, const struct cfg_call *call)
{
	if (!call->name || !takes_size(call->name))
		return;
	add_site(f, (struct site){
			    .insn = call->insn,
			    .block = call->block,
			    .kind = SITE_SIZE,
			    .number = REG_RDX,
			    .bits = 64,
		    });
	look_back(f);
}

void sites_find(const struct cfg *cfg, const struct decoder *d,
		struct sites *ret)
{
	struct finder f = { cfg, d, ret };
	size_t call = 0;

	*ret = (struct sites){ .nsites = 0 };
	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		const struct cfg_block *block = &cfg->blocks[b];

		for (uint32_t k = 0; k < block->ninsns; k++) {
			uint32_t i = block->first_insn + k;

			if (cfg->insns[i].divides)
				add_division(&f, i, b);
			if (call < cfg->ncalls && cfg->calls[call].insn == i)
				add_call(&f, &cfg->calls[call++]);
		}
	}
}

void sites_free(struct sites *s)
{
	free(s->sites);
	free(s->views);
	*s = (struct sites){ .nsites = 0 };
}

int64_t site_value(const struct site *site, const struct site_view *view,
		   uint64_t content)
{
	unsigned unused = 64 - view->bits;

	return site->is_signed && view->bits == site->bits
		       ? (int64_t)(content << unused) >> unused
		       : (int64_t)(content << unused >> unused);
}
