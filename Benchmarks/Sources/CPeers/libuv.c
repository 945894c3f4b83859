#include "CPeers.h"

#include <stdlib.h>
#include <uv.h>

static void step(uv_poll_t *handle, int status, int events) {
    int descriptor;
    uv_fileno((uv_handle_t *)handle, &descriptor);
    if (ring_step(handle->data, descriptor)) uv_stop(handle->loop);
}

static void close_all(uv_loop_t *loop) {
    uv_run(loop, UV_RUN_DEFAULT);
    if (uv_loop_close(loop) != 0) abort();
}

static uint64_t do_ring(int count, int ready, bool edge, uint64_t rounds) {
    struct ring ring;
    ring_open(&ring, count, ready, edge, rounds);
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_poll_t *handles = calloc((size_t)count, sizeof *handles);
    for (int i = 0; i < count; i++) {
        uv_poll_init(&loop, &handles[i], ring.descriptors[i]);
        handles[i].data = &ring;
        uv_poll_start(&handles[i], UV_READABLE, step);
    }
    // The changes to the epoll set are made in the loop's first iteration.
    uv_run(&loop, UV_RUN_NOWAIT);
    uint64_t start = bench_now();
    ring_start(&ring);
    uv_run(&loop, UV_RUN_DEFAULT);
    uint64_t time = bench_now() - start;
    for (int i = 0; i < count; i++) uv_close((uv_handle_t *)&handles[i], NULL);
    close_all(&loop);
    free(handles);
    ring_close(&ring);
    return time;
}

static volatile uint64_t fired;

static void fire(uv_timer_t *timer) { fired++; }

static uint64_t do_timers(int count, uint64_t rounds, bool firing) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_timer_t *timers = calloc((size_t)count, sizeof *timers);
    for (int i = 0; i < count; i++) uv_timer_init(&loop, &timers[i]);
    uint64_t start = bench_now();
    while (rounds--) {
        for (int i = 0; i < count; i++) uv_timer_start(&timers[i], fire, firing ? 0 : timer_delay((uint32_t)i), 0);
        if (firing) {
            uv_run(&loop, UV_RUN_DEFAULT);
        } else {
            for (int i = 0; i < count; i++) uv_timer_stop(&timers[timer_place((uint32_t)i, (uint32_t)count)]);
        }
    }
    uint64_t time = bench_now() - start;
    for (int i = 0; i < count; i++) uv_close((uv_handle_t *)&timers[i], NULL);
    close_all(&loop);
    free(timers);
    return time;
}

static uint64_t do_fire(int count, uint64_t rounds) { return do_timers(count, rounds, true); }
static uint64_t do_cancel(int count, uint64_t rounds) { return do_timers(count, rounds, false); }

struct blocks {
    uv_idle_t *handles;
    int count, left;
    uint64_t rounds;
};

static void give(struct blocks *blocks);

static void block(uv_idle_t *handle) {
    struct blocks *blocks = handle->data;
    uv_idle_stop(handle);
    if (--blocks->left == 0 && --blocks->rounds > 0) give(blocks);
}

static void give(struct blocks *blocks) {
    blocks->left = blocks->count;
    for (int i = 0; i < blocks->count; i++) uv_idle_start(&blocks->handles[i], block);
}

static uint64_t do_blocks(int count, uint64_t rounds) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    struct blocks blocks = {calloc((size_t)count, sizeof(uv_idle_t)), count, 0, rounds};
    for (int i = 0; i < count; i++) {
        uv_idle_init(&loop, &blocks.handles[i]);
        blocks.handles[i].data = &blocks;
    }
    uint64_t start = bench_now();
    give(&blocks);
    uv_run(&loop, UV_RUN_DEFAULT);
    uint64_t time = bench_now() - start;
    for (int i = 0; i < count; i++) uv_close((uv_handle_t *)&blocks.handles[i], NULL);
    close_all(&loop);
    free(blocks.handles);
    return time;
}

static struct waker *waker;

static void wake(void *context) { uv_async_send(context); }

static void woken(uv_async_t *async) {
    if (waker_seen(waker)) uv_stop(async->loop);
}

static void do_wakeups(uint64_t *latencies, size_t count) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_async_t async;
    uv_async_init(&loop, &async, woken);
    waker = waker_start(wake, &async, latencies, count);
    uv_run(&loop, UV_RUN_DEFAULT);
    waker_join(waker);
    uv_close((uv_handle_t *)&async, NULL);
    close_all(&loop);
}

const struct peer libuv = {"libuv", do_ring, do_fire, do_cancel, do_blocks, do_wakeups};
