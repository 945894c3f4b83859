// The floor: what the kernel costs, with a callback and nothing else. Timers are a binary heap and epoll's timeout.
#define _GNU_SOURCE
#include "CPeers.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct source {
    int descriptor;
    bool (*callback)(struct source *);
    void *context;
};

static bool step(struct source *source) { return ring_step(source->context, source->descriptor); }

static int watch(int set, struct source *source, bool edge) {
    struct epoll_event event = {.events = EPOLLIN | (edge ? (uint32_t)EPOLLET : 0), .data.ptr = source};
    return epoll_ctl(set, EPOLL_CTL_ADD, source->descriptor, &event);
}

static void run(int set) {
    struct epoll_event events[256];
    for (;;) {
        int ready = epoll_wait(set, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            struct source *source = events[i].data.ptr;
            if (source->callback(source)) return;
        }
    }
}

static uint64_t do_ring(int count, int ready, bool edge, uint64_t rounds) {
    struct ring ring;
    ring_open(&ring, count, ready, edge, rounds);
    int set = epoll_create1(EPOLL_CLOEXEC);
    struct source *sources = calloc((size_t)count, sizeof *sources);
    for (int i = 0; i < count; i++) {
        sources[i] = (struct source){ring.descriptors[i], step, &ring};
        if (watch(set, &sources[i], edge) != 0) abort();
    }
    uint64_t start = bench_now();
    ring_start(&ring);
    run(set);
    uint64_t time = bench_now() - start;
    close(set);
    free(sources);
    ring_close(&ring);
    return time;
}

struct timer {
    uint64_t deadline;
    int place;
};

struct heap {
    struct timer **timers;
    int count;
};

static void put(struct heap *heap, struct timer *timer, int place) {
    heap->timers[place] = timer;
    timer->place = place;
}

static void sift(struct heap *heap, struct timer *timer, int place) {
    for (int parent; place > 0 && timer->deadline < heap->timers[parent = (place - 1) / 2]->deadline; place = parent)
        put(heap, heap->timers[parent], place);
    for (int child; (child = place * 2 + 1) < heap->count; place = child) {
        if (child + 1 < heap->count && heap->timers[child + 1]->deadline < heap->timers[child]->deadline) child++;
        if (heap->timers[child]->deadline >= timer->deadline) break;
        put(heap, heap->timers[child], place);
    }
    put(heap, timer, place);
}

static void insert(struct heap *heap, struct timer *timer) { sift(heap, timer, heap->count++); }

static void take(struct heap *heap, struct timer *timer) {
    struct timer *last = heap->timers[--heap->count];
    if (last != timer) sift(heap, last, timer->place);
}

static volatile uint64_t fired;

static uint64_t do_timers(int count, uint64_t rounds, bool firing) {
    int set = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event;
    struct timer *timers = calloc((size_t)count, sizeof *timers);
    struct heap heap = {calloc((size_t)count, sizeof(struct timer *)), 0};
    uint64_t start = bench_now();
    while (rounds--) {
        for (int i = 0; i < count; i++) {
            timers[i].deadline = bench_now() + (firing ? 0 : timer_delay((uint32_t)i) * 1000000ull);
            insert(&heap, &timers[i]);
        }
        if (firing) {
            while (heap.count > 0) {
                epoll_wait(set, &event, 1, 0);
                uint64_t now = bench_now();
                while (heap.count > 0 && heap.timers[0]->deadline <= now) {
                    take(&heap, heap.timers[0]);
                    fired++;
                }
            }
        } else {
            for (int i = 0; i < count; i++) take(&heap, &timers[timer_place((uint32_t)i, (uint32_t)count)]);
        }
    }
    uint64_t time = bench_now() - start;
    close(set);
    free(heap.timers);
    free(timers);
    return time;
}

static uint64_t do_fire(int count, uint64_t rounds) { return do_timers(count, rounds, true); }
static uint64_t do_cancel(int count, uint64_t rounds) { return do_timers(count, rounds, false); }

struct block {
    void (*body)(void *);
    void *context;
};

static void block(void *context) { ++*(uint64_t *)context; }

static uint64_t do_blocks(int count, uint64_t rounds) {
    int set = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event;
    struct block *queue = calloc((size_t)count, sizeof *queue);
    uint64_t done = 0;
    uint64_t start = bench_now();
    while (rounds--) {
        for (int i = 0; i < count; i++) queue[i] = (struct block){block, &done};
        epoll_wait(set, &event, 1, 0);
        for (int i = 0; i < count; i++) queue[i].body(queue[i].context);
    }
    uint64_t time = bench_now() - start;
    free(queue);
    close(set);
    return time;
}

static struct waker *waker;
static int doorbell;

static void wake(void *context) {
    static const uint64_t one = 1;
    if (write(*(int *)context, &one, 8) != 8) abort();
}

static bool woken(struct source *source) {
    uint64_t value;
    if (read(source->descriptor, &value, 8) != 8) return false;
    return waker_seen(waker);
}

static void do_wakeups(uint64_t *latencies, size_t count) {
    int set = epoll_create1(EPOLL_CLOEXEC);
    doorbell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct source source = {doorbell, woken, NULL};
    if (watch(set, &source, false) != 0) abort();
    waker = waker_start(wake, &doorbell, latencies, count);
    run(set);
    waker_join(waker);
    close(doorbell);
    close(set);
}

const struct peer bare_epoll = {"bare epoll (C)", do_ring, do_fire, do_cancel, do_blocks, do_wakeups};
