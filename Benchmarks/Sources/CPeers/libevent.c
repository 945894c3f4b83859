#include "CPeers.h"

#include <event2/event.h>
#include <event2/thread.h>
#include <stdlib.h>

static struct event_base *base;

static void step(evutil_socket_t descriptor, short events, void *ring) {
    if (ring_step(ring, descriptor)) event_base_loopbreak(base);
}

static uint64_t do_ring(int count, int ready, bool edge, uint64_t rounds) {
    struct ring ring;
    ring_open(&ring, count, ready, edge, rounds);
    base = event_base_new();
    struct event **events = calloc((size_t)count, sizeof *events);
    for (int i = 0; i < count; i++) {
        short what = EV_READ | EV_PERSIST | (edge ? EV_ET : 0);
        events[i] = event_new(base, ring.descriptors[i], what, step, &ring);
        event_add(events[i], NULL);
    }
    uint64_t start = bench_now();
    ring_start(&ring);
    event_base_dispatch(base);
    uint64_t time = bench_now() - start;
    for (int i = 0; i < count; i++) event_free(events[i]);
    event_base_free(base);
    free(events);
    ring_close(&ring);
    return time;
}

static volatile uint64_t fired;

static void fire(evutil_socket_t descriptor, short events, void *context) { fired++; }

static uint64_t do_timers(int count, uint64_t rounds, bool firing) {
    base = event_base_new();
    struct event **events = calloc((size_t)count, sizeof *events);
    for (int i = 0; i < count; i++) events[i] = evtimer_new(base, fire, NULL);
    uint64_t start = bench_now();
    while (rounds--) {
        for (int i = 0; i < count; i++) {
            uint32_t delay = firing ? 0 : timer_delay((uint32_t)i);
            struct timeval time = {delay / 1000, delay % 1000 * 1000};
            evtimer_add(events[i], &time);
        }
        if (firing) {
            event_base_dispatch(base);
        } else {
            for (int i = 0; i < count; i++) evtimer_del(events[timer_place((uint32_t)i, (uint32_t)count)]);
        }
    }
    uint64_t time = bench_now() - start;
    for (int i = 0; i < count; i++) event_free(events[i]);
    event_base_free(base);
    free(events);
    return time;
}

static uint64_t do_fire(int count, uint64_t rounds) { return do_timers(count, rounds, true); }
static uint64_t do_cancel(int count, uint64_t rounds) { return do_timers(count, rounds, false); }

struct blocks {
    struct event **events;
    int count, left;
    uint64_t rounds;
};

// Timers of no delay: an event made active in a callback runs before the loop looks at descriptors again, for ever if
// each makes the next.
static void give(struct blocks *blocks) {
    static const struct timeval zero;
    blocks->left = blocks->count;
    for (int i = 0; i < blocks->count; i++) evtimer_add(blocks->events[i], &zero);
}

static void block(evutil_socket_t descriptor, short events, void *context) {
    struct blocks *blocks = context;
    if (--blocks->left == 0 && --blocks->rounds > 0) give(blocks);
}

static uint64_t do_blocks(int count, uint64_t rounds) {
    base = event_base_new();
    struct blocks blocks = {calloc((size_t)count, sizeof(struct event *)), count, 0, rounds};
    for (int i = 0; i < count; i++) blocks.events[i] = evtimer_new(base, block, &blocks);
    uint64_t start = bench_now();
    give(&blocks);
    event_base_dispatch(base);
    uint64_t time = bench_now() - start;
    for (int i = 0; i < count; i++) event_free(blocks.events[i]);
    event_base_free(base);
    free(blocks.events);
    return time;
}

static struct waker *waker;

static void wake(void *context) { event_active(context, EV_READ, 0); }

static void woken(evutil_socket_t descriptor, short events, void *context) {
    if (waker_seen(waker)) event_base_loopbreak(base);
}

static void do_wakeups(uint64_t *latencies, size_t count) {
    evthread_use_pthreads();
    base = event_base_new();
    evthread_make_base_notifiable(base);
    struct event *event = event_new(base, -1, EV_PERSIST, woken, NULL);
    event_add(event, NULL);
    waker = waker_start(wake, event, latencies, count);
    event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY);
    waker_join(waker);
    event_free(event);
    event_base_free(base);
}

const struct peer libevent = {"libevent", do_ring, do_fire, do_cancel, do_blocks, do_wakeups};
