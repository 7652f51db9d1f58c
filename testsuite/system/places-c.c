/* Small, but with all that GCC does to functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	int key;
};

static __attribute__((__noreturn__, __noinline__)) void fatal(const char *why)
{
	fprintf(stderr, "fatal: %s\n", why);
	exit(1);
}

static void *get(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		fatal("memory");
	return memory;
}

/* Split: the quick end is inlined into callers, the rest is get_deep.part. */
static int deep(struct node *list, int key)
{
	if (!list)
		return 0;
	for (; list; list = list->next) {
		if (list->key == key)
			puts("found");
		else if (list->key > 4711)
			printf("%d: %s\n", list->key, strerror(list->key));
	}
	return key * 3;
}

static inline int twice(int x)
{
	return x > 0 ? x + x : x - 1;
}

static inline int four_times(int x)
{
	return twice(twice(x)) ^ twice(x + 1);
}

/* Cloned for its constant argument. */
static __attribute__((__noinline__)) int scaled(const int *a, int n, int by)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[i] * by + four_times(a[i]);
	return sum;
}

static int choose(int kind, int x)
{
	switch (kind) {
	case 0:
		return x + 1;
	case 1:
		return four_times(x);
	case 2:
		return x * x;
	case 3:
		return printf("%d\n", x);
	case 4:
		return -x;
	case 5:
		return twice(x) / 3;
	case 6:
		abort();
	default:
		return 0;
	}
}

int shared_work(const int *a, int n)
{
	struct node *list = NULL;
	int sum = 0;

	for (int i = 0; i < n; i++) {
		struct node *node = get(sizeof(*node));

		node->next = list;
		node->key = a[i];
		list = node;
		sum += choose(a[i] % 8, i) + deep(list, i);
	}
	return sum + scaled(a, n, 7) + deep(list->next, sum);
}

int main(int argc, char **argv)
{
	int a[64];

	for (int i = 0; i < 64; i++)
		a[i] = argc * i % 6;
	if (argc > 1)
		a[0] = atoi(argv[1]);
	printf("%d\n", shared_work(a, 64));
	return 0;
}
