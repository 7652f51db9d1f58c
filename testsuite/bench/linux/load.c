/*
 * load NAME ROUNDS - work for a kernel, and how many nanoseconds it took: "train"
 * or "other", which asks for the same things in other parts and sizes, and for a few
 * that the first never asks for.  In the folder where it runs.
 */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FOLDERS = 7, PAGE = 4096, BUFFER = 65536 };

static char buffer[BUFFER];

static long check(long result)
{
	if (result < 0) {
		perror("load");
		exit(1);
	}
	return result;
}

static const char *name(int folder, int file)
{
	static char text[64];

	snprintf(text, sizeof(text), "folder%d/file%d", folder % FOLDERS, file);
	return text;
}

/* Two processes that hand 64 bytes to each other. */
static void pass(int times)
{
	int there[2], back[2];
	pid_t child;

	check(pipe(there));
	check(pipe(back));
	child = check(fork());
	for (int i = 0; i < times; i++) {
		if (child) {
			check(write(there[1], buffer, 64));
			check(read(back[0], buffer, 64));
		} else {
			check(read(there[0], buffer, 64));
			check(write(back[1], buffer, 64));
		}
	}
	if (!child)
		_exit(0);
	check(waitpid(child, NULL, 0));
	for (int i = 0; i < 2; i++) {
		close(there[i]);
		close(back[i]);
	}
}

static void write_files(int files, int size)
{
	for (int i = 0; i < files; i++) {
		int file = check(open(name(i, i % 40),
				      O_RDWR | O_CREAT | O_TRUNC, 0644));

		for (int k = 0; k < 4; k++)
			check(write(file, buffer, size));
		check(lseek(file, 0, SEEK_SET));
		while (check(read(file, buffer, size)) > 0)
			;
		close(file);
	}
}

static void look_up(int times)
{
	struct stat status;

	for (int i = 0; i < times; i++) {
		stat(name(i, i % 60), &status);
		access("nowhere/file", R_OK);
	}
}

static void start_processes(int n)
{
	for (int i = 0; i < n; i++) {
		pid_t child = check(fork());

		if (!child)
			_exit(0);
		check(waitpid(child, NULL, 0));
	}
}

static void map_pages(int times, int pages)
{
	for (int i = 0; i < times; i++) {
		char *memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED)
			check(-1);
		for (int k = 0; k < pages; k++)
			memory[k * PAGE] = 1;
		munmap(memory, pages * PAGE);
	}
}

static void send_messages(int times, int size)
{
	struct epoll_event event = { .events = EPOLLIN };
	int ends[2], waits;

	check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	waits = check(epoll_create1(0));
	check(epoll_ctl(waits, EPOLL_CTL_ADD, ends[1], &event));
	for (int i = 0; i < times; i++) {
		check(write(ends[0], buffer, size));
		check(epoll_wait(waits, &event, 1, -1));
		check(read(ends[1], buffer, sizeof(buffer)));
	}
	close(ends[0]);
	close(ends[1]);
	close(waits);
}

static void list_folder(int times)
{
	for (int i = 0; i < times; i++) {
		DIR *folder = opendir("folder0");
		struct dirent *entry;
		struct stat status;

		while ((entry = readdir(folder)))
			check(fstatat(dirfd(folder), entry->d_name, &status,
				      AT_SYMLINK_NOFOLLOW));
		closedir(folder);
	}
}

static void rename_files(int times)
{
	for (int i = 0; i < times; i++) {
		int file = check(open("folder1/new", O_CREAT | O_WRONLY, 0600));

		check(write(file, "x", 1));
		close(file);
		check(rename("folder1/new", "folder2/moved"));
		check(unlink("folder2/moved"));
	}
}

static void ask_pipes(int times)
{
	enum { PIPES = 8 };
	struct pollfd asked[PIPES];
	int ends[PIPES][2];

	for (int i = 0; i < PIPES; i++) {
		check(pipe(ends[i]));
		asked[i] = (struct pollfd){ ends[i][0], POLLIN, 0 };
	}
	for (int i = 0; i < times; i++)
		check(poll(asked, PIPES, 0));
	for (int i = 0; i < PIPES; i++) {
		close(ends[i][0]);
		close(ends[i][1]);
	}
}

static void train(void)
{
	pass(100);
	write_files(50, 512);
	look_up(200);
	start_processes(5);
	map_pages(5, 64);
	send_messages(150, 256);
}

static void other(void)
{
	pass(20);
	write_files(30, PAGE);
	look_up(50);
	start_processes(10);
	map_pages(10, 16);
	send_messages(60, 2000);
	list_folder(4);
	rename_files(40);
	ask_pipes(150);
}

int main(int argc, char **argv)
{
	struct timespec before, after;
	char folder[32];

	if (argc != 3)
		return 2;
	for (int i = 0; i < FOLDERS; i++) {
		snprintf(folder, sizeof(folder), "folder%d", i);
		mkdir(folder, 0755);
	}
	clock_gettime(CLOCK_MONOTONIC, &before);
	for (int i = atoi(argv[2]); i > 0; i--)
		if (strcmp(argv[1], "train") == 0)
			train();
		else
			other();
	clock_gettime(CLOCK_MONOTONIC, &after);
	printf("%s %lld\n", argv[1],
	       (after.tv_sec - before.tv_sec) * 1000000000ll + after.tv_nsec -
		       before.tv_nsec);
	return 0;
}
