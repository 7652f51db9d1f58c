/*
 * Damaged tables of blocks: each ends in a clear message, or is a table of
 * finite numbers.  Built with AddressSanitizer and UBSan.
 */
#include <math.h>

#include "svr-train/table.h"
#include "testsuite/fuzz/damage.h"

static const char text[] =
	"function\taddress\tinstructions\tinst:u\tcycles:u\traw\ttrue\n"
	"main\t0x1010\t3\t12\t14\t4\t400\n"
	"main\t0x1020\t1\t0\t0\t0\t7\n"
	"_ZN3fooEv\t0x2000\t12\t300\t512\t25\t2611\n"
	"_ZN3fooEv\t0x2040\t2\t1e2\t0.5\t50\t0\n";

static bool is_sane(const struct tables *t)
{
	for (size_t i = 0; i < t->nrows; i++) {
		const struct table_row *row = &t->rows[i];
		bool sane = row->function && row->program < t->npaths &&
			    row->instructions >= 1 && isfinite(row->truth);

		for (size_t e = 0; e < t->nevents; e++)
			sane = sane && isfinite(tables_samples(t, i)[e]) &&
			       tables_samples(t, i)[e] >= 0;
		if (!sane)
			return false;
	}
	return true;
}

static bool read_table(const char *path, struct fdo_error *err)
{
	struct tables *t = tables_read(&path, 1, err);
	bool sane = t && is_sane(t);

	if (t && !sane)
		fdo_fail(err, "not a table, and taken for one");
	tables_free(t);
	return sane;
}

int main(void)
{
	size_t size = strlen(text), line = strchr(text, '\n') + 1 - text;

	damage_prefixes("prefixes of a table", (const void *)text, size, false,
			read_table);
	damage_bytes("changed bytes of a table", (const void *)text, size, line,
		     read_table);
	return done();
}
