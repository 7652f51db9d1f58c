/*
 * profiles.h - profiles for tests: random ones, as bytes, and as a file opened.
 *
 *	struct profile *p = random_profile(seed, 100, false);
 *	struct bytes bytes = binary_form(p);
 *	...
 *	free(bytes.data);
 *
 * A random profile is a number of facts that are added one by one, forwards or
 * backwards; the same seed makes the same facts.  Those of odd seeds know when
 * functions were first used.
 */
#ifndef TESTSUITE_PROFILES_H
#define TESTSUITE_PROFILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/bytes.h"
#include "profile/profile.h"

static inline uint64_t random_next(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
	return random_next(state) % n;
}

/* The first of n is drawn most often, so that things meet again. */
static inline uint64_t random_first(uint64_t *state, uint64_t n)
{
	return random_below(
		state, random_below(state, random_below(state, n) + 1) + 1);
}

/* Names that a compiler makes, and names that nobody should. */
static inline const char *random_name(uint64_t *state)
{
	static const char *const names[] = {
		"main",
		"_ZN4base4util8functionEv",
		"_ZN4base4util8functionIiEEv",
		"operator new(unsigned long)",
		"\"quoted\" and \\ backward",
		"",
		"#include",
		" leading",
		"new\nline\tand\r\x01\x7f",
		"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
		"\xff\xc0\xaf not UTF-8 \xed\xa0\x80 \xc2\x85",
		"0",
		"-1",
		"at",
		"inlined",
	};

	return names[random_first(state, sizeof(names) / sizeof(names[0]))];
}

static inline const char *random_file(uint64_t *state)
{
	static const char *const files[] = {
		NULL,
		"main.c",
		"/usr/include/c++/12/bits/stl_vector.h",
		"/usr/include/c++/12/bits/stl_map.h",
		"a file with blanks.c",
		"",
	};

	return files[random_first(state, sizeof(files) / sizeof(files[0]))];
}

static inline uint64_t random_count(uint64_t *state)
{
	return random_below(state, (uint64_t)1 << random_below(state, 55));
}

/* Often the same, rarely at the edge of what there can be. */
static inline struct profile_key random_key(uint64_t *state)
{
	struct profile_key key = {
		.file = random_below(state, 4) ? NULL : random_file(state),
		.line = (int32_t)random_first(state, 20) - 3,
		.column = random_below(state, 3),
		.discriminator = random_below(state, 3)
					 ? PROFILE_ANY
					 : random_below(state, 3),
	};

	switch (random_below(state, 50)) {
	case 0:
		key.line = INT32_MIN;
		break;
	case 1:
		key.line = INT32_MAX;
		break;
	case 2:
		key.column = UINT32_MAX;
		break;
	case 3:
		key.discriminator = PROFILE_ANY - 1;
		break;
	default:
		break;
	}
	return key;
}

static inline uint32_t random_line(uint64_t *state)
{
	return random_below(state, 30) ? random_first(state, 3) * 10
				       : UINT32_MAX;
}

static inline void random_value(struct profile_count *count, uint64_t *state)
{
	static const int64_t extreme[] = { INT64_MIN, INT64_MAX, -1, 0 };
	struct profile_value value = {
		.kind = random_below(state, PROFILE_KINDS),
		.other = !random_below(state, 4),
		.count = random_below(state, 10) ? random_below(state, 1000)
						 : random_count(state),
	};

	if (!value.other)
		value.value = random_below(state, 4)
				      ? (int64_t)random_below(state, 9)
				      : extreme[random_below(state, 4)];
	profile_add_value(count, &value);
}

static inline void random_count_at(struct profile *p, struct profile_body *body,
				   uint64_t *state)
{
	struct profile_count *count =
		profile_count_at(p, body, random_key(state));

	count->count = profile_sum(count->count, random_count(state));
	if (random_below(state, 2))
		count->error |= random_count(state) >> 20 | 1;
	count->error_rest |= random_below(state, 3);
	if (!random_below(state, 4))
		count->flags |= random_below(state, 4);
	for (uint64_t n = random_below(state, 8); n > 5; n--)
		profile_add_target(p, count, random_name(state),
				   random_below(state, 1000));
	for (uint64_t n = random_below(state, 12); n > 8; n--)
		random_value(count, state);
}

static inline void random_whole_fact(struct profile *p, uint64_t *state)
{
	static const char *const roles[] = { "inst", "cycles", "stall:dTLB" };
	struct profile_event *event = profile_add_event(
		p, random_name(state), roles[random_below(state, 3)]);
	uint64_t id[2] = { random_below(state, 3), random_below(state, 3) };
	struct profile_binary binary;

	event->samples += random_below(state, 100000);
	event->mapped += random_below(state, 100000);
	event->period |= random_below(state, 100000);
	binary = (struct profile_binary){
		.name = random_name(state),
		.build_id_size = random_below(state, sizeof(id)),
		.no_frontiers = !random_below(state, 4),
	};
	memcpy(binary.build_id, id, binary.build_id_size);
	profile_add_binary(p, &binary);
}

static inline void random_unsampled(struct profile *p, uint64_t *state)
{
	const char *file = random_file(state);
	struct profile_unsampled u = {
		.name = profile_hash_name(random_name(state)),
		.file = profile_hash_file(file ? file : "other.c"),
		.line = random_line(state),
		.lines = random_first(state, 5),
		.samples = random_below(state, 10) ? random_below(state, 10000)
						   : UINT32_MAX,
	};

	profile_add_unsampled(p, &u);
}

static inline void random_use(struct profile *p, uint64_t *state)
{
	const char *name = random_name(state), *file = random_file(state);

	profile_use(profile_add_function(p, name, file, random_line(state)),
		    random_count(state));
}

static inline void random_fact(struct profile *p, uint64_t *state)
{
	const char *name = random_name(state), *file = random_file(state);
	struct profile_function *f =
		profile_add_function(p, name, file, random_line(state));
	struct profile_body *body = &f->body;
	struct profile_binary app = { .name = "app" };

	if (!random_below(state, 4))
		profile_add_source(f, profile_add_binary(p, &app));
	f->entry = profile_sum(f->entry, random_count(state));
	f->samples += random_below(state, 100);
	while (random_below(state, 2)) {
		struct profile_key call = random_key(state);

		name = random_name(state);
		file = random_file(state);
		body->total = profile_sum(body->total, random_count(state));
		body = profile_add_inlined(p, body, call, name, file,
					   random_line(state));
	}
	random_count_at(p, body, state);
}

static inline struct profile *random_profile(unsigned int seed,
					     unsigned int facts, bool backwards)
{
	struct profile *p = profile_new();

	p->tool = profile_text(p, seed % 3 ? "a test" : "tester");
	p->model = seed % 5 ? "default" : NULL;
	for (unsigned int i = 0; i < facts; i++) {
		uint64_t state = ((uint64_t)seed << 32) +
				 (backwards ? facts - 1 - i : i);

		random_next(&state);
		if (random_below(&state, 20))
			random_fact(p, &state);
		else
			random_whole_fact(p, &state);
		if (!random_below(&state, 4))
			random_unsampled(p, &state);
		if (seed % 2 && !random_below(&state, 2))
			random_use(p, &state);
	}
	return p;
}

static inline struct bytes stream_bytes(FILE *stream)
{
	struct bytes bytes = { 0 };
	int c;

	while (stream && (c = getc(stream)) != EOF)
		bytes_u8(&bytes, c);
	if (stream)
		fclose(stream);
	return bytes;
}

/* A new file in the folder where the test runs, with some bytes. */
static inline void temporary_file(char path[32], const struct bytes *bytes)
{
	int fd;

	strcpy(path, "profile-test-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0 ||
	    write(fd, bytes->data, bytes->size) != (ssize_t)bytes->size) {
		perror(path);
		exit(99);
	}
	close(fd);
}

/* The bytes of its file.  Sorts the profile. */
static inline struct bytes binary_form(struct profile *p)
{
	static const struct bytes nothing = { (unsigned char *)"", 0, 0 };
	struct fdo_error err;
	struct bytes bytes;
	char path[32];

	temporary_file(path, &nothing);
	if (!profile_write(p, path, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(99);
	}
	bytes = stream_bytes(fopen(path, "r"));
	unlink(path);
	return bytes;
}

/* Written and opened again, as the compiler sees it.  Takes the profile. */
static inline struct profile *reopened(struct profile *p)
{
	struct bytes bytes = binary_form(p);
	struct profile *opened;
	struct fdo_error err;
	char path[32];

	profile_free(p);
	temporary_file(path, &bytes);
	free(bytes.data);
	opened = profile_open(path, &err);
	unlink(path);
	if (!opened) {
		fprintf(stderr, "%s\n", err.text);
		exit(99);
	}
	return opened;
}

static inline struct bytes text_form(struct profile *p)
{
	struct bytes bytes = { 0 };
	char *text = NULL;
	FILE *stream = open_memstream(&text, &bytes.size);

	profile_print(p, stream);
	fclose(stream);
	bytes.data = (unsigned char *)text;
	return bytes;
}

static inline bool same_bytes(const struct bytes *a, const struct bytes *b)
{
	return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* Of either form, or NULL. */
static inline struct profile *profile_of(const struct bytes *bytes,
					 struct fdo_error *err)
{
	struct profile *p;
	char path[32];

	temporary_file(path, bytes);
	p = profile_read_any(path, err);
	unlink(path);
	return p;
}

#endif
