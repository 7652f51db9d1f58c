/*
 * libraries.c - code of two files, one after the other, at the same address.
 * A library is this file with -DSTEPS=N; the program is the rest.
 */
#ifdef STEPS
long library_work(void);

long library_work(void)
{
	volatile long sum = 0;

	for (int i = 0; i < STEPS; i++)
		sum += i;
	return sum;
}
#else
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* Where in its file the function is, as the linker lays out small files. */
static long offset_of(const char *path)
{
	void *library = dlopen(path, RTLD_NOW), *work;
	Dl_info info;

	work = dlsym(library, "library_work");
	dladdr(work, &info);
	return (char *)work - (char *)info.dli_fbase;
}

int main(int argc, char **argv)
{
	char *place = mmap(NULL, 2 * PAGE, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 1; i < argc; i++) {
		long offset = offset_of(argv[i]);
		int fd = open(argv[i], O_RDONLY);
		char *code =
			mmap(place, 2 * PAGE, PROT_READ | PROT_EXEC,
			     MAP_PRIVATE | MAP_FIXED, fd, offset / PAGE * PAGE);

		printf("%ld\n", ((long (*)(void))(code + offset % PAGE))());
		close(fd);
	}
	return 0;
}
#endif
