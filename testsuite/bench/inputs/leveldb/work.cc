/*
 * What programs do with a database: write, overwrite, delete, read what is there and
 * what is not, and walk through a part of it.
 *
 *	work train|ref KEYS
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>

#include "helpers/memenv/memenv.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"

using namespace leveldb;

static unsigned state;

static unsigned chance(unsigned below)
{
	state = state * 1103515245u + 12345u;
	return (state >> 8) % below;
}

/* Files in memory; what is to be done in another thread waits for work(). */
class Calm : public EnvWrapper
{
      public:
	Calm() : EnvWrapper(NewMemEnv(Env::Default())), files(target())
	{
	}
	void Schedule(void (*function)(void *), void *argument) override
	{
		waiting.push_back({ function, argument });
	}
	uint64_t NowMicros() override
	{
		return 0;
	}
	void work()
	{
		while (!waiting.empty()) {
			job next = waiting.front();

			waiting.pop_front();
			next.function(next.argument);
		}
	}

      private:
	struct job {
		void (*function)(void *);
		void *argument;
	};
	std::unique_ptr<Env> files;
	std::deque<job> waiting;
};

struct store {
	Calm files;
	std::unique_ptr<const FilterPolicy> filter;
	std::unique_ptr<Cache> cache;
	std::unique_ptr<DB> db;
	size_t sum = 0;
	int found = 0;
};

static void must(const Status &status)
{
	if (status.ok())
		return;
	fprintf(stderr, "work: %s\n", status.ToString().c_str());
	exit(1);
}

static std::string key(unsigned number)
{
	char text[32];

	snprintf(text, sizeof text, "%016u", number);
	return text;
}

static std::string value(unsigned length)
{
	std::string s;

	while (s.size() < length)
		s += "value " + std::to_string(chance(1000));
	return s;
}

static void fill(store &in, unsigned keys, unsigned length, bool in_order)
{
	for (unsigned i = 0; i < keys; i++) {
		unsigned number = in_order ? i : chance(keys);

		must(in.db->Put(WriteOptions(), key(number), value(length)));
		in.files.work();
	}
}

/* Some at a time, of which one in four is deleted. */
static void change(store &in, unsigned keys, unsigned times)
{
	while (times-- > 0) {
		WriteBatch batch;

		for (unsigned n = 1 + chance(8); n > 0; n--)
			if (chance(4) == 0)
				batch.Delete(key(chance(keys)));
			else
				batch.Put(key(chance(keys)), value(60));
		must(in.db->Write(WriteOptions(), &batch));
		in.files.work();
	}
}

/* One in so many is not there. */
static void read(store &in, unsigned keys, unsigned times, unsigned missing)
{
	while (times-- > 0) {
		std::string of = key(chance(keys)), text;

		if (chance(missing) == 0)
			of += '.';
		if (in.db->Get(ReadOptions(), of, &text).ok()) {
			in.found++;
			in.sum += text.size();
		}
		in.files.work();
	}
}

static void walk(store &in, unsigned keys, unsigned times, bool forward)
{
	std::unique_ptr<Iterator> at(in.db->NewIterator(ReadOptions()));

	while (times-- > 0) {
		at->Seek(key(chance(keys)));
		for (int n = 0; n < 40 && at->Valid(); n++) {
			in.sum = in.sum * 31 + at->key()[15] +
				 at->value().size();
			if (forward)
				at->Next();
			else
				at->Prev();
		}
	}
	must(at->status());
	in.files.work();
}

int main(int argc, char **argv)
{
	bool is_train = argc > 1 && strcmp(argv[1], "train") == 0;
	unsigned keys = argc > 2 ? atoi(argv[2]) : 1000;
	Options options;
	store in;
	DB *db;

	state = is_train ? 7 : 99;
	in.filter.reset(is_train ? nullptr : NewBloomFilterPolicy(10));
	in.cache.reset(NewLRUCache(1 << 20));
	options.env = &in.files;
	options.create_if_missing = true;
	options.write_buffer_size = 1 << 18;
	options.max_file_size = 1 << 20;
	options.compression = kNoCompression;
	options.block_cache = in.cache.get();
	options.filter_policy = in.filter.get();
	must(DB::Open(options, "/db", &db));
	in.db.reset(db);
	if (is_train) {
		fill(in, keys, 100, true);
		fill(in, keys, 100, false);
		read(in, keys, keys, 20);
		walk(in, keys, keys / 20, true);
		walk(in, keys, keys / 60, false);
	} else {
		fill(in, keys, 160, false);
		change(in, keys, keys / 4);
		read(in, keys, keys, 2);
		walk(in, keys, keys / 30, false);
		walk(in, keys, keys / 60, true);
	}
	printf("%d %zu\n", in.found, in.sum);
	return 0;
}
