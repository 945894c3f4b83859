// The same work for every loop, so that only the loop differs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One loop's work for each row of the table. Each function makes a loop, does its work, and returns how many
// nanoseconds the work took without the making. A missing function is a row the loop has nothing for.
struct peer {
    const char *name;
    // `count` eventfds are watched and `ready` of them are written in each round; a callback reads its own, and the last of a
    // batch writes the next batch. Ends after `rounds` callbacks. With `edge` they are watched edge-triggered, not read.
    uint64_t (*ring)(int count, int ready, bool edge, uint64_t rounds);
    // `count` timers of no delay are armed and fire, `rounds` times over.
    uint64_t (*fire)(int count, uint64_t rounds);
    // `count` timers of up to a minute are armed and cancelled in another order, `rounds` times over.
    uint64_t (*cancel)(int count, uint64_t rounds);
    // `count` blocks are given to the loop by its own thread, and the last of them gives the next; `rounds` times over.
    uint64_t (*blocks)(int count, uint64_t rounds);
    // Another thread wakes the sleeping loop `count` times; each time to the callback goes into `latencies`.
    void (*wakeups)(uint64_t *latencies, size_t count);
};

extern const struct peer bare_epoll, libuv, libev, glib, systemd, libevent;

// The clock all of them are measured by, in nanoseconds.
uint64_t bench_now(void);

// The descriptors of a ring, and whose turn it is.
struct ring {
    int count, ready, left;
    bool edge;
    uint32_t next;
    uint64_t rounds;
    int *descriptors;
};

void ring_open(struct ring *ring, int count, int ready, bool edge, uint64_t rounds);
void ring_close(struct ring *ring);
// Writes the first batch.
void ring_start(struct ring *ring);
// The work of a callback. Returns whether all rounds are done.
bool ring_step(struct ring *ring, int descriptor);

// A delay of 1 to 60,000 milliseconds for the timer of this number, and the place to cancel it at.
uint32_t timer_delay(uint32_t number);
uint32_t timer_place(uint32_t number, uint32_t count);

// A thread that wakes a loop, again and again, each time after the loop has had time to fall asleep.
struct waker;
struct waker *waker_start(void (*wake)(void *context), void *context, uint64_t *latencies, size_t count);
// The work of the woken callback. Returns whether it was the last one.
bool waker_seen(struct waker *waker);
void waker_join(struct waker *waker);

// Drains the main dispatch queue in a bare epoll loop until `done` is not 0.
void drain_main_queue(const volatile int *done);
