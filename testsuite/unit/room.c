/* Room for arrays in turn: none reaches into another, and memory is kept. */
#include "mcf/room.h"

#include <stdint.h>
#include <string.h>

#include "testsuite/lib/tap.h"

enum { ARRAYS = 20 };

/* Arrays of all sizes from both ends; how many have not what they were given */
static int overwritten(struct room *room, size_t n)
{
	unsigned char *arrays[ARRAYS];
	int wrong = 0;

	for (int i = 0; i < ARRAYS; i++) {
		arrays[i] = i % 3 ? room_take(room, n + i, 3)
				  : room_keep(room, n + i, 3);
		if (room->memory)
			memset(arrays[i], i, 3 * (n + i));
		else
			wrong += arrays[i] != NULL;
	}
	for (int i = 0; room->memory && i < ARRAYS; i++) {
		wrong += (uintptr_t)arrays[i] % 16 != 0;
		for (size_t k = 0; k < 3 * (n + i); k++)
			wrong += arrays[i][k] != i;
	}
	return wrong;
}

int main(void)
{
	struct room room = { 0 };
	int wrong = 0, moved = 0;

	for (size_t n = 200; n > 0; n--) {
		struct room plan = { 0 };
		char *before = room.memory;

		wrong += overwritten(&plan, n);
		room_open(&room, plan.front + plan.back);
		wrong += overwritten(&room, n);
		wrong += room.front != plan.front || room.back != plan.back;
		moved += n < 200 && room.memory != before;
	}
	check_int(wrong, 0, "arrays fit in where that was planned");
	check_int(moved, 0, "what is smaller takes no other memory");
	room_open(&room, room.size + 1);
	check(room.size > 200 * ARRAYS * 3, "what is larger does");
	room_free(&room);
	check(!room.memory && !room.size, "and nothing is left");
	return done();
}
