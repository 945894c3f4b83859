#define _GNU_SOURCE
#include "CPeers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

uint64_t bench_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void ring_open(struct ring *ring, int count, int ready, bool edge, uint64_t rounds) {
    *ring = (struct ring){.count = count, .ready = ready, .edge = edge, .rounds = rounds};
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
    if (!ring->edge && read(descriptor, &value, 8) != 8) return false;
    if (--ring->rounds == 0) return true;
    if (--ring->left == 0) ring_start(ring);
    return false;
}

uint32_t timer_delay(uint32_t number) { return number * 2654435761u % 60000u + 1; }

uint32_t timer_place(uint32_t number, uint32_t count) { return (uint32_t)((uint64_t)number * 7919u % count); }

struct waker {
    void (*wake)(void *);
    void *context;
    uint64_t *latencies;
    size_t count;
    size_t sent;
    _Atomic size_t seen;
    _Atomic uint64_t time;
    pthread_t thread;
};

static void *waker_run(void *context) {
    struct waker *waker = context;
    for (size_t i = 0; i < waker->count; i++) {
        while (atomic_load(&waker->seen) < i) {}
        // Long enough for a loop to be asleep, short enough for the processor not to be.
        for (uint64_t end = bench_now() + 20000; bench_now() < end;) {}
        atomic_store(&waker->time, bench_now());
        waker->wake(waker->context);
    }
    return NULL;
}

struct waker *waker_start(void (*wake)(void *), void *context, uint64_t *latencies, size_t count) {
    struct waker *waker = calloc(1, sizeof *waker);
    waker->wake = wake;
    waker->context = context;
    waker->latencies = latencies;
    waker->count = count;
    if (pthread_create(&waker->thread, NULL, waker_run, waker) != 0) abort();
    return waker;
}

bool waker_seen(struct waker *waker) {
    size_t seen = atomic_load(&waker->seen);
    waker->latencies[seen] = bench_now() - atomic_load(&waker->time);
    atomic_store(&waker->seen, seen + 1);
    return seen + 1 == waker->count;
}

void waker_join(struct waker *waker) {
    pthread_join(waker->thread, NULL);
    free(waker);
}

int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

void drain_main_queue(const volatile int *done) {
    int set = epoll_create1(EPOLL_CLOEXEC);
    int queue = _dispatch_get_main_queue_handle_4CF();
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(set, EPOLL_CTL_ADD, queue, &event) != 0) abort();
    while (!*done) {
        uint64_t value;
        if (epoll_wait(set, &event, 1, -1) == 1 && read(queue, &value, 8) == 8) _dispatch_main_queue_callback_4CF(NULL);
    }
    close(set);
}
