// The work of the rows, included at the end of each loop's file, which has defined types (loop, source, timer, block) and functions:
// open_loop, close_loop (with all that it has), watch, settle (applies changes), run, stop, make_timer, arm,
// cancel, make_block, perform.
#include <stdlib.h>

static uint64_t do_ring(int count, int ready, uint64_t rounds) {
    struct ring ring;
    ring_open(&ring, count, ready, rounds);
    loop *loop = open_loop();
    source *sources = calloc((size_t)count, sizeof *sources);
    for (int i = 0; i < count; i++) watch(loop, &sources[i], ring.descriptors[i], &ring);
    settle(loop);
    uint64_t start = bench_now();
    ring_start(&ring);
    run(loop);
    uint64_t time = bench_now() - start;
    close_loop(loop);
    free(sources);
    ring_close(&ring);
    return time;
}

static uint64_t do_timers(int count, uint64_t rounds, bool firing) {
    loop *loop = open_loop();
    timer *timers = calloc((size_t)count, sizeof *timers);
    for (int i = 0; i < count; i++) make_timer(loop, &timers[i]);
    uint64_t start = bench_now();
    while (rounds--) {
        left = (uint64_t)count;
        for (int i = 0; i < count; i++) arm(loop, &timers[i], firing ? 0 : timer_delay((uint32_t)i));
        if (firing) run(loop);
        else for (int i = 0; i < count; i++) cancel(loop, &timers[timer_place((uint32_t)i, (uint32_t)count)]);
    }
    uint64_t time = bench_now() - start;
    close_loop(loop);
    free(timers);
    return time;
}

struct blocks {
    loop *loop;
    block *handles;
    int count, left;
    uint64_t rounds;
};

static void give(struct blocks *blocks) {
    blocks->left = blocks->count;
    for (int i = 0; i < blocks->count; i++) perform(blocks->loop, &blocks->handles[i]);
}

static void block_ran(struct blocks *blocks) {
    if (--blocks->left > 0) return;
    if (--blocks->rounds > 0) give(blocks);
    else stop(blocks->loop);
}

static uint64_t do_blocks(int count, uint64_t rounds) {
    struct blocks blocks = {open_loop(), calloc((size_t)count, sizeof(block)), count, 0, rounds};
    for (int i = 0; i < count; i++) make_block(blocks.loop, &blocks.handles[i], &blocks);
    uint64_t start = bench_now();
    give(&blocks);
    run(blocks.loop);
    uint64_t time = bench_now() - start;
    close_loop(blocks.loop);
    free(blocks.handles);
    return time;
}
