#define _GNU_SOURCE
#include "CPeers.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

uint64_t bench_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void ring_open(struct ring *ring, int count, int ready, uint64_t rounds) {
    *ring = (struct ring){.count = count, .ready = ready, .rounds = rounds};
    ring->descriptors = calloc((size_t)count, sizeof(int));
    for (int i = 0; i < count; i++) {
        ring->descriptors[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (ring->descriptors[i] < 0) abort();
    }
}

void ring_close(struct ring *ring) {
    for (int i = 0; i < ring->count; i++) close(ring->descriptors[i]);
    free(ring->descriptors);
}

void ring_start(struct ring *ring) {
    static const uint64_t one = 1;
    ring->left = ring->ready;
    for (int i = 0; i < ring->ready; i++) {
        if (write(ring->descriptors[ring->next % (uint32_t)ring->count], &one, 8) != 8) abort();
        // A prime that shares no factor with the counts, so that consecutive accesses are not adjacent in memory.
        ring->next += ring->count == 2 ? 1 : 7919;
    }
}

bool ring_step(struct ring *ring, int descriptor) {
    uint64_t value;
    if (read(descriptor, &value, 8) != 8) return false;
    if (--ring->rounds == 0) return true;
    if (--ring->left == 0) ring_start(ring);
    return false;
}

uint32_t timer_delay(uint32_t number) { return number * 2654435761u % 60000u + 1; }

uint32_t timer_place(uint32_t number, uint32_t count) { return (uint32_t)((uint64_t)number * 7919u % count); }
