#include "CPeers.h"

#include <ev.h>

struct blocks;
static void block_ran(struct blocks *blocks);

typedef struct ev_loop loop;
typedef ev_io source;
typedef ev_timer timer;
typedef ev_idle block;
static volatile uint64_t left;

static loop *open_loop(void) { return ev_loop_new(EVBACKEND_EPOLL); }
static void close_loop(loop *loop) { ev_loop_destroy(loop); }

static void step(loop *loop, source *source, int events) {
    if (ring_step(source->data, source->fd)) ev_break(loop, EVBREAK_ALL);
}

static void watch(loop *loop, source *source, int descriptor, struct ring *ring) {
    ev_io_init(source, step, descriptor, EV_READ);
    source->data = ring;
    ev_io_start(loop, source);
}

static void settle(loop *loop) { ev_run(loop, EVRUN_NOWAIT); }
static void run(loop *loop) { ev_run(loop, 0); }
static void stop(loop *loop) { ev_break(loop, EVBREAK_ALL); }

static void fire(loop *loop, timer *timer, int events) { left--; }

static void make_timer(loop *loop, timer *timer) { ev_init(timer, fire); }

static void arm(loop *loop, timer *timer, uint32_t delay) {
    ev_timer_set(timer, delay / 1000.0, 0);
    ev_timer_start(loop, timer);
}

static void cancel(loop *loop, timer *timer) { ev_timer_stop(loop, timer); }

static void run_block(loop *loop, block *block, int events) {
    ev_idle_stop(loop, block);
    block_ran(block->data);
}

static void make_block(loop *loop, block *block, struct blocks *blocks) {
    ev_idle_init(block, run_block);
    block->data = blocks;
}

static void perform(loop *loop, block *block) { ev_idle_start(loop, block); }

#include "rows.h"
const struct peer libev = {"libev", do_ring, do_timers, do_blocks};
