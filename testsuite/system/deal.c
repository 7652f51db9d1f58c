/*
 * deal RECORDING FOLDER PARTS - the same recording as a folder, as perf record
 * --threads writes it: each record that has a time goes into one of so many
 * parts, by chance, and what has none into the file data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "converter/perf/perfevents.h"
#include "converter/perf/perffile.h"
#include "converter/perf/perfinput.h"
#include "converter/perf/perfrecord.h"
#include "converter/perf/perfstream.h"

/* Places in the header of a file. */
enum { RECORDS_SIZE = 48, FEATURES_AT = 72, SECTION_SIZE = 16 };

struct record {
	uint64_t time; /* 0: none */
	size_t number;
	size_t size;
	unsigned char *bytes;
};

struct recording {
	struct perfevents *events;
	struct perffile file;
	uint64_t begin; /* of the records */
	size_t size;	/* of all */
	unsigned char *bytes;
	size_t n, room;
	struct record *records;
};

static bool add(struct recording *r, const struct perfheader *header,
		const struct cursor *c, struct fdo_error *err)
{
	struct record record = { .number = r->n, .size = c->size };
	uint32_t event;

	if (header->type == PERFRECORD_FINISHED_ROUND)
		return true;
	if (header->type < PERFRECORD_OWN &&
	    !perfrecord_place(r->events, header, c, &event, &record.time, err))
		return false;
	record.bytes = fdo_alloc(c->size, 1);
	memcpy(record.bytes, c->data, c->size);
	r->records = fdo_grow(r->records, r->n, &r->room, sizeof(record));
	r->records[r->n++] = record;
	return true;
}

static bool read_recording(struct recording *r, const char *path,
			   struct fdo_error *err)
{
	struct perfinput *input = perfinput_open(path, err);
	struct perfstream stream;
	struct perfheader header;
	struct cursor c;

	r->events = perfevents_new();
	if (!input || !perffile_open(input, r->events, &r->file, err))
		return false;
	r->begin = perfinput_position(input);
	r->size = perfinput_size(input);
	r->bytes = perfinput_part(input, 0, r->size, err);
	perfstream_init(&stream, input, r->file.end, r->file.swap);
	do
		if (!r->bytes || !perfstream_next(&stream, &header, &c, err) ||
		    (c.size && !add(r, &header, &c, err)))
			return false;
	while (c.size);
	perfstream_deinit(&stream);
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static FILE *create(const char *folder, const char *name, int number)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), number < 0 ? "%s/%s" : "%s/%s.%d", folder,
		 name, number);
	file = fopen(path, number < 0 ? "wb" : "ab");
	if (!file) {
		perror(path);
		exit(1);
	}
	return file;
}

static void put(FILE *file, const void *bytes, size_t size)
{
	if (fwrite(bytes, 1, size, file) != size) {
		perror("deal");
		exit(1);
	}
}

static size_t count_features(const unsigned char *header)
{
	size_t n = 0;

	for (int i = 0; i < FEATURES; i++)
		n += header[FEATURES_AT + i / 8] >> i % 8 & 1;
	return n;
}

/* What stands behind the records is elsewhere if there are fewer of them. */
static void move_sections(struct recording *r, uint64_t size)
{
	uint64_t end = r->file.end, at;
	size_t n = count_features(r->bytes);

	for (size_t i = 0; i < n; i++) {
		unsigned char *section = r->bytes + end + i * SECTION_SIZE;

		memcpy(&at, section, sizeof(at));
		at -= end - r->begin - size;
		memcpy(section, &at, sizeof(at));
	}
	memcpy(r->bytes + RECORDS_SIZE, &size, sizeof(size));
}

/* Returns the number of the records that are in it: the first. */
static size_t write_data(struct recording *r, const char *folder)
{
	FILE *file = create(folder, "data", -1);
	uint64_t size = 0;
	size_t n;

	for (n = 0; n < r->n && !r->records[n].time; n++)
		size += r->records[n].size;
	move_sections(r, size);
	put(file, r->bytes, r->begin);
	for (size_t i = 0; i < n; i++)
		put(file, r->records[i].bytes, r->records[i].size);
	put(file, r->bytes + r->file.end, r->size - r->file.end);
	fclose(file);
	return n;
}

/* Records of the same moment stay together, since their order is known. */
static void write_parts(const struct recording *r, size_t i, const char *folder,
			int parts)
{
	unsigned int seed = 1;
	int part = 0;

	for (uint64_t before = 0; i < r->n; i++) {
		const struct record *record = &r->records[i];
		FILE *file;

		if (record->time != before)
			part = rand_r(&seed) % parts;
		file = create(folder, "data", part);
		put(file, record->bytes, record->size);
		fclose(file);
		before = record->time;
	}
}

int main(int argc, char **argv)
{
	struct recording r = { 0 };
	struct fdo_error err;

	if (argc != 4)
		return 2;
	if (!read_recording(&r, argv[1], &err)) {
		fprintf(stderr, "deal: %s\n", err.text);
		return 1;
	}
	if (mkdir(argv[2], 0700) != 0) {
		perror(argv[2]);
		return 1;
	}
	qsort(r.records, r.n, sizeof(*r.records), compare);
	write_parts(&r, write_data(&r, argv[2]), argv[2], atoi(argv[3]));
	for (size_t i = 0; i < r.n; i++)
		free(r.records[i].bytes);
	free(r.records);
	free(r.bytes);
	perfevents_free(r.events);
	return 0;
}
