#include "CPeers.h"

#include <stdlib.h>
#include <uv.h>

struct blocks;
static void block_ran(struct blocks *blocks);

typedef uv_loop_t loop;
typedef uv_poll_t source;
typedef uv_timer_t timer;
typedef uv_idle_t block;
static volatile uint64_t left;

static loop *open_loop(void) {
    loop *loop = malloc(sizeof *loop);
    uv_loop_init(loop);
    return loop;
}

static void close_handle(uv_handle_t *handle, void *context) { uv_close(handle, NULL); }

static void close_loop(loop *loop) {
    uv_walk(loop, close_handle, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    if (uv_loop_close(loop) != 0) abort();
    free(loop);
}

static void step(source *source, int status, int events) {
    int descriptor;
    uv_fileno((uv_handle_t *)source, &descriptor);
    if (ring_step(source->data, descriptor)) uv_stop(source->loop);
}

static void watch(loop *loop, source *source, int descriptor, struct ring *ring) {
    uv_poll_init(loop, source, descriptor);
    source->data = ring;
    uv_poll_start(source, UV_READABLE, step);
}

static void settle(loop *loop) { uv_run(loop, UV_RUN_NOWAIT); }
static void run(loop *loop) { uv_run(loop, UV_RUN_DEFAULT); }
static void stop(loop *loop) { uv_stop(loop); }

static void fire(timer *timer) { left--; }

static void make_timer(loop *loop, timer *timer) { uv_timer_init(loop, timer); }
static void arm(loop *loop, timer *timer, uint32_t delay) { uv_timer_start(timer, fire, delay, 0); }
static void cancel(loop *loop, timer *timer) { uv_timer_stop(timer); }

static void run_block(block *block) {
    uv_idle_stop(block);
    block_ran(block->data);
}

static void make_block(loop *loop, block *block, struct blocks *blocks) {
    uv_idle_init(loop, block);
    block->data = blocks;
}

static void perform(loop *loop, block *block) { uv_idle_start(block, run_block); }

#include "rows.h"
const struct peer libuv = {"libuv", do_ring, do_timers, do_blocks};
