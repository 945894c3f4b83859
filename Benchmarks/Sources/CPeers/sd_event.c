#define _GNU_SOURCE
#include "CPeers.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <systemd/sd-event.h>
#include <time.h>
#include <unistd.h>

static int step(sd_event_source *source, int descriptor, uint32_t events, void *ring) {
    return ring_step(ring, descriptor) ? sd_event_exit(sd_event_source_get_event(source), 0) : 0;
}

static uint64_t do_ring(int count, int ready, bool edge, uint64_t rounds) {
    struct ring ring;
    ring_open(&ring, count, ready, edge, rounds);
    sd_event *event;
    if (sd_event_new(&event) < 0) abort();
    sd_event_source **sources = calloc((size_t)count, sizeof *sources);
    for (int i = 0; i < count; i++) {
        uint32_t events = EPOLLIN | (edge ? (uint32_t)EPOLLET : 0);
        if (sd_event_add_io(event, &sources[i], ring.descriptors[i], events, step, &ring) < 0) abort();
    }
    uint64_t start = bench_now();
    ring_start(&ring);
    sd_event_loop(event);
    uint64_t time = bench_now() - start;
    for (int i = 0; i < count; i++) sd_event_source_unref(sources[i]);
    sd_event_unref(event);
    free(sources);
    ring_close(&ring);
    return time;
}

static uint64_t left;

static int fire(sd_event_source *source, uint64_t time, void *context) {
    return --left == 0 ? sd_event_exit(sd_event_source_get_event(source), 0) : 0;
}

static uint64_t do_timers(int count, uint64_t rounds, bool firing) {
    sd_event_source **sources = calloc((size_t)count, sizeof *sources);
    uint64_t time = 0;
    // A loop cannot run again after sd_event_exit, so each firing uses a new loop, made outside the measurement.
    sd_event *event = NULL;
    while (rounds--) {
        if (event == NULL && sd_event_new(&event) < 0) abort();
        left = (uint64_t)count;
        uint64_t start = bench_now();
        for (int i = 0; i < count; i++) {
            uint64_t delay = firing ? 0 : timer_delay((uint32_t)i) * 1000ull;
            if (sd_event_add_time_relative(event, &sources[i], CLOCK_MONOTONIC, delay, 1, fire, NULL) < 0) abort();
        }
        if (firing) sd_event_loop(event);
        for (int i = 0; i < count; i++) sd_event_source_unref(sources[timer_place((uint32_t)i, (uint32_t)count)]);
        time += bench_now() - start;
        if (firing) event = sd_event_unref(event);
    }
    sd_event_unref(event);
    free(sources);
    return time;
}

static uint64_t do_fire(int count, uint64_t rounds) { return do_timers(count, rounds, true); }
static uint64_t do_cancel(int count, uint64_t rounds) { return do_timers(count, rounds, false); }

struct blocks {
    sd_event_source **sources;
    int count, left;
    uint64_t rounds;
};

static void give(struct blocks *blocks) {
    blocks->left = blocks->count;
    for (int i = 0; i < blocks->count; i++) sd_event_source_set_enabled(blocks->sources[i], SD_EVENT_ONESHOT);
}

static int block(sd_event_source *source, void *context) {
    struct blocks *blocks = context;
    if (--blocks->left == 0) {
        if (--blocks->rounds == 0) return sd_event_exit(sd_event_source_get_event(source), 0);
        give(blocks);
    }
    return 0;
}

static uint64_t do_blocks(int count, uint64_t rounds) {
    sd_event *event;
    if (sd_event_new(&event) < 0) abort();
    struct blocks blocks = {calloc((size_t)count, sizeof(sd_event_source *)), count, 0, rounds};
    for (int i = 0; i < count; i++) {
        if (sd_event_add_defer(event, &blocks.sources[i], block, &blocks) < 0) abort();
        sd_event_source_set_enabled(blocks.sources[i], SD_EVENT_OFF);
    }
    uint64_t start = bench_now();
    give(&blocks);
    sd_event_loop(event);
    uint64_t time = bench_now() - start;
    for (int i = 0; i < count; i++) sd_event_source_unref(blocks.sources[i]);
    sd_event_unref(event);
    free(blocks.sources);
    return time;
}

static struct waker *waker;

// sd-event has no wake-up for other threads; its manual recommends an eventfd.
static void wake(void *context) {
    static const uint64_t one = 1;
    if (write(*(int *)context, &one, 8) != 8) abort();
}

static int woken(sd_event_source *source, int descriptor, uint32_t events, void *context) {
    uint64_t value;
    if (read(descriptor, &value, 8) != 8) return 0;
    return waker_seen(waker) ? sd_event_exit(sd_event_source_get_event(source), 0) : 0;
}

static void do_wakeups(uint64_t *latencies, size_t count) {
    sd_event *event;
    sd_event_source *source;
    int doorbell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (sd_event_new(&event) < 0 || sd_event_add_io(event, &source, doorbell, EPOLLIN, woken, NULL) < 0) abort();
    waker = waker_start(wake, &doorbell, latencies, count);
    sd_event_loop(event);
    waker_join(waker);
    sd_event_source_unref(source);
    sd_event_unref(event);
    close(doorbell);
}

const struct peer systemd = {"sd-event", do_ring, do_fire, do_cancel, do_blocks, do_wakeups};
