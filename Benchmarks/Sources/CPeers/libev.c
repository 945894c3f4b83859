#include "CPeers.h"

#include <ev.h>
#include <stdlib.h>

static void step(struct ev_loop *loop, ev_io *watcher, int events) {
    if (ring_step(watcher->data, watcher->fd)) ev_break(loop, EVBREAK_ALL);
}

static uint64_t do_ring(int count, int ready, bool edge, uint64_t rounds) {
    struct ring ring;
    ring_open(&ring, count, ready, edge, rounds);
    struct ev_loop *loop = ev_loop_new(EVBACKEND_EPOLL);
    ev_io *watchers = calloc((size_t)count, sizeof *watchers);
    for (int i = 0; i < count; i++) {
        ev_io_init(&watchers[i], step, ring.descriptors[i], EV_READ);
        watchers[i].data = &ring;
        ev_io_start(loop, &watchers[i]);
    }
    // The changes to the epoll set are made in the loop's first iteration.
    ev_run(loop, EVRUN_NOWAIT);
    uint64_t start = bench_now();
    ring_start(&ring);
    ev_run(loop, 0);
    uint64_t time = bench_now() - start;
    for (int i = 0; i < count; i++) ev_io_stop(loop, &watchers[i]);
    ev_loop_destroy(loop);
    free(watchers);
    ring_close(&ring);
    return time;
}

static volatile uint64_t fired;

static void fire(struct ev_loop *loop, ev_timer *timer, int events) { fired++; }

static uint64_t do_timers(int count, uint64_t rounds, bool firing) {
    struct ev_loop *loop = ev_loop_new(EVBACKEND_EPOLL);
    ev_timer *timers = calloc((size_t)count, sizeof *timers);
    uint64_t start = bench_now();
    while (rounds--) {
        for (int i = 0; i < count; i++) {
            ev_timer_init(&timers[i], fire, firing ? 0 : timer_delay((uint32_t)i) / 1000.0, 0);
            ev_timer_start(loop, &timers[i]);
        }
        if (firing) {
            ev_run(loop, 0);
        } else {
            for (int i = 0; i < count; i++) ev_timer_stop(loop, &timers[timer_place((uint32_t)i, (uint32_t)count)]);
        }
    }
    uint64_t time = bench_now() - start;
    ev_loop_destroy(loop);
    free(timers);
    return time;
}

static uint64_t do_fire(int count, uint64_t rounds) { return do_timers(count, rounds, true); }
static uint64_t do_cancel(int count, uint64_t rounds) { return do_timers(count, rounds, false); }

struct blocks {
    ev_idle *watchers;
    int count, left;
    uint64_t rounds;
};

static void give(struct ev_loop *loop, struct blocks *blocks);

static void block(struct ev_loop *loop, ev_idle *watcher, int events) {
    struct blocks *blocks = watcher->data;
    ev_idle_stop(loop, watcher);
    if (--blocks->left == 0 && --blocks->rounds > 0) give(loop, blocks);
}

static void give(struct ev_loop *loop, struct blocks *blocks) {
    blocks->left = blocks->count;
    for (int i = 0; i < blocks->count; i++) ev_idle_start(loop, &blocks->watchers[i]);
}

static uint64_t do_blocks(int count, uint64_t rounds) {
    struct ev_loop *loop = ev_loop_new(EVBACKEND_EPOLL);
    struct blocks blocks = {calloc((size_t)count, sizeof(ev_idle)), count, 0, rounds};
    for (int i = 0; i < count; i++) {
        ev_idle_init(&blocks.watchers[i], block);
        blocks.watchers[i].data = &blocks;
    }
    uint64_t start = bench_now();
    give(loop, &blocks);
    ev_run(loop, 0);
    uint64_t time = bench_now() - start;
    ev_loop_destroy(loop);
    free(blocks.watchers);
    return time;
}

static struct waker *waker;

struct target {
    struct ev_loop *loop;
    ev_async async;
};

static void wake(void *context) {
    struct target *target = context;
    ev_async_send(target->loop, &target->async);
}

static void woken(struct ev_loop *loop, ev_async *async, int events) {
    if (waker_seen(waker)) ev_break(loop, EVBREAK_ALL);
}

static void do_wakeups(uint64_t *latencies, size_t count) {
    struct target target = {ev_loop_new(EVBACKEND_EPOLL)};
    ev_async_init(&target.async, woken);
    ev_async_start(target.loop, &target.async);
    waker = waker_start(wake, &target, latencies, count);
    ev_run(target.loop, 0);
    waker_join(waker);
    ev_async_stop(target.loop, &target.async);
    ev_loop_destroy(target.loop);
}

const struct peer libev = {"libev", do_ring, do_fire, do_cancel, do_blocks, do_wakeups};
