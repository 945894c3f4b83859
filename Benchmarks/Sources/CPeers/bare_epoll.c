// The floor: what the kernel costs, with a callback and nothing else. Timers are a binary heap and epoll's timeout.
#define _GNU_SOURCE
#include "CPeers.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

struct blocks;
static void block_ran(struct blocks *blocks);

typedef struct {
    int descriptor;
    struct ring *ring;
} source;

typedef struct {
    uint64_t deadline;
    int place;
} timer;

typedef struct blocks *block;

typedef struct {
    int set, count, queued;
    timer *heap[100000];
    block *queue[128];
} loop;

static volatile uint64_t left;

static loop *open_loop(void) {
    loop *loop = malloc(sizeof *loop);
    loop->set = epoll_create1(EPOLL_CLOEXEC);
    loop->count = loop->queued = 0;
    return loop;
}

static void close_loop(loop *loop) {
    close(loop->set);
    free(loop);
}

static void watch(loop *loop, source *source, int descriptor, struct ring *ring) {
    source->descriptor = descriptor;
    source->ring = ring;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};
    if (epoll_ctl(loop->set, EPOLL_CTL_ADD, descriptor, &event) != 0) abort();
}

static void settle(loop *loop) {}
static void stop(loop *loop) {}

static void put(loop *loop, timer *timer, int place) {
    loop->heap[place] = timer;
    timer->place = place;
}

static void sift(loop *loop, timer *moved, int place) {
    timer **heap = loop->heap;
    for (int parent; place > 0 && moved->deadline < heap[parent = (place - 1) / 2]->deadline; place = parent)
        put(loop, heap[parent], place);
    for (int child; (child = place * 2 + 1) < loop->count; place = child) {
        if (child + 1 < loop->count && heap[child + 1]->deadline < heap[child]->deadline) child++;
        if (heap[child]->deadline >= moved->deadline) break;
        put(loop, heap[child], place);
    }
    put(loop, moved, place);
}

static void make_timer(loop *loop, timer *timer) {}

static void arm(loop *loop, timer *timer, uint32_t delay) {
    timer->deadline = bench_now() + delay * 1000000ull;
    sift(loop, timer, loop->count++);
}

static void cancel(loop *loop, timer *cancelled) {
    timer *last = loop->heap[--loop->count];
    if (last != cancelled) sift(loop, last, cancelled->place);
}

static void make_block(loop *loop, block *block, struct blocks *blocks) { *block = blocks; }
static void perform(loop *loop, block *block) { loop->queue[loop->queued++] = block; }

static void run(loop *loop) {
    struct epoll_event events[256];
    // One of three loops, as a program that has only descriptors, timers or blocks would have it.
    while (loop->count > 0) {
        epoll_wait(loop->set, events, 1, 0);
        uint64_t now = bench_now();
        for (; loop->count > 0 && loop->heap[0]->deadline <= now; left--) cancel(loop, loop->heap[0]);
        if (loop->count == 0) return;
    }
    while (loop->queued > 0) {
        epoll_wait(loop->set, events, 1, 0);
        int queued = loop->queued;
        loop->queued = 0;
        // The last block queues the next ones.
        for (int i = 0; i < queued; i++) block_ran(*loop->queue[i]);
        if (loop->queued == 0) return;
    }
    for (;;) {
        int ready = epoll_wait(loop->set, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            source *from = events[i].data.ptr;
            if (ring_step(from->ring, from->descriptor)) return;
        }
    }
}

#include "rows.h"
const struct peer bare_epoll = {"bare epoll (C)", do_ring, do_timers, do_blocks};
