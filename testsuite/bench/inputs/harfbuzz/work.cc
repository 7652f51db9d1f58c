/*
 * What programs do with fonts: shape lines of text, and cut a font down to some of its
 * letters.
 *
 *	work FONT TEXT ROUNDS CUTS
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "hb.h"
#include "hb-subset.h"

/* FNV-1a, of 64 bits. */
static unsigned long long sum = 14695981039346656037ull;

static void add(unsigned long long value)
{
	sum = (sum ^ value) * 1099511628211ull;
}

static std::vector<std::string> lines_of(const char *path)
{
	std::vector<std::string> lines(1);
	FILE *file = fopen(path, "r");
	int c;

	if (!file) {
		perror(path);
		exit(1);
	}
	while ((c = getc(file)) != EOF)
		if (c == '\n')
			lines.emplace_back();
		else
			lines.back() += c;
	fclose(file);
	return lines;
}

static void shape(hb_font_t *font, const std::vector<std::string> &lines)
{
	hb_buffer_t *buffer = hb_buffer_create();

	for (const std::string &line : lines) {
		unsigned many;

		hb_buffer_clear_contents(buffer);
		hb_buffer_add_utf8(buffer, line.data(), line.size(), 0,
				   line.size());
		hb_buffer_guess_segment_properties(buffer);
		hb_shape(font, buffer, nullptr, 0);
		hb_glyph_info_t *glyphs =
			hb_buffer_get_glyph_infos(buffer, &many);
		hb_glyph_position_t *places =
			hb_buffer_get_glyph_positions(buffer, &many);
		for (unsigned i = 0; i < many; i++) {
			add(glyphs[i].codepoint);
			add(glyphs[i].cluster);
			add(places[i].x_advance);
			add(places[i].x_offset);
			add(places[i].y_offset);
		}
	}
	hb_buffer_destroy(buffer);
}

static void cut(hb_face_t *face, int round)
{
	hb_subset_input_t *input = hb_subset_input_create_or_fail();
	hb_set_t *letters = hb_subset_input_unicode_set(input);
	unsigned length;

	for (unsigned i = ' '; i < 0x3000; i += 1 + (i + round) % 7)
		hb_set_add(letters, i);
	hb_face_t *rest = hb_subset_or_fail(face, input);
	hb_blob_t *blob = hb_face_reference_blob(rest);
	const char *data = hb_blob_get_data(blob, &length);
	add(length);
	for (unsigned i = 0; i < length; i += 13)
		add((unsigned char)data[i]);
	hb_blob_destroy(blob);
	hb_face_destroy(rest);
	hb_subset_input_destroy(input);
}

int main(int argc, char **argv)
{
	if (argc != 5) {
		fprintf(stderr, "usage: work FONT TEXT ROUNDS CUTS\n");
		return 2;
	}
	const std::vector<std::string> lines = lines_of(argv[2]);
	hb_blob_t *blob = hb_blob_create_from_file(argv[1]);
	hb_face_t *face = hb_face_create(blob, 0);
	hb_font_t *font = hb_font_create(face);
	for (int rounds = atoi(argv[3]); rounds > 0; rounds--)
		shape(font, lines);
	for (int cuts = atoi(argv[4]); cuts > 0; cuts--)
		cut(face, cuts);
	printf("%016llx\n", sum);
	hb_font_destroy(font);
	hb_face_destroy(face);
	hb_blob_destroy(blob);
	return 0;
}
