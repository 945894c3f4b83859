// The same work for every loop, so that only the loop differs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One loop's work for each kind of row. Each function makes a loop, does its work, and returns the nanoseconds of the work.
struct peer {
    const char *name;
    // `count` eventfds are watched and `ready` of them are written in each round; a callback reads its own, and the last of a
    // batch writes the next batch. Ends after `rounds` callbacks.
    uint64_t (*ring)(int count, int ready, uint64_t rounds);
    // `count` timers are armed, `rounds` times: without delay, and fire, or with up to a minute, and are cancelled in another order.
    uint64_t (*timers)(int count, uint64_t rounds, bool firing);
    // `count` blocks are given to the loop by its own thread, and the last of them gives the next; `rounds` times.
    uint64_t (*blocks)(int count, uint64_t rounds);
};

extern const struct peer bare_epoll, libuv, libev, glib;

// The clock of all of them, in nanoseconds.
uint64_t bench_now(void);

// The descriptors of a ring, and whose turn it is.
struct ring {
    int count, ready, left;
    uint32_t next;
    uint64_t rounds;
    int *descriptors;
};

void ring_open(struct ring *ring, int count, int ready, uint64_t rounds);
void ring_close(struct ring *ring);
// Writes the first batch.
void ring_start(struct ring *ring);
// The work of a callback. Returns whether all rounds are done.
bool ring_step(struct ring *ring, int descriptor);

// A delay of 1 to 60,000 milliseconds for the timer of this number, and the place to cancel it at.
uint32_t timer_delay(uint32_t number);
uint32_t timer_place(uint32_t number, uint32_t count);
