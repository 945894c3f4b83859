#include "CPeers.h"

#include <glib-unix.h>
#include <stdlib.h>

struct fixture {
    GMainContext *context;
    GMainLoop *loop;
};

static struct fixture open_loop(void) {
    GMainContext *context = g_main_context_new();
    return (struct fixture){context, g_main_loop_new(context, FALSE)};
}

static void close_loop(struct fixture fixture) {
    g_main_loop_unref(fixture.loop);
    g_main_context_unref(fixture.context);
}

static GMainLoop *current;

static gboolean step(gint descriptor, GIOCondition condition, gpointer data) {
    if (ring_step(data, descriptor)) g_main_loop_quit(current);
    return G_SOURCE_CONTINUE;
}

static uint64_t do_ring(int count, int ready, bool edge, uint64_t rounds) {
    struct ring ring;
    ring_open(&ring, count, ready, edge, rounds);
    struct fixture fixture = open_loop();
    current = fixture.loop;
    GSource **sources = calloc((size_t)count, sizeof *sources);
    for (int i = 0; i < count; i++) {
        sources[i] = g_unix_fd_source_new(ring.descriptors[i], G_IO_IN);
        g_source_set_callback(sources[i], G_SOURCE_FUNC(step), &ring, NULL);
        g_source_attach(sources[i], fixture.context);
    }
    uint64_t start = bench_now();
    ring_start(&ring);
    g_main_loop_run(fixture.loop);
    uint64_t time = bench_now() - start;
    for (int i = 0; i < count; i++) {
        g_source_destroy(sources[i]);
        g_source_unref(sources[i]);
    }
    close_loop(fixture);
    free(sources);
    ring_close(&ring);
    return time;
}

static uint64_t left;

static gboolean fire(gpointer data) {
    if (--left == 0) g_main_loop_quit(current);
    return G_SOURCE_REMOVE;
}

static uint64_t do_timers(int count, uint64_t rounds, bool firing) {
    struct fixture fixture = open_loop();
    current = fixture.loop;
    GSource **sources = calloc((size_t)count, sizeof *sources);
    uint64_t start = bench_now();
    while (rounds--) {
        left = (uint64_t)count;
        for (int i = 0; i < count; i++) {
            sources[i] = g_timeout_source_new(firing ? 0 : timer_delay((uint32_t)i));
            g_source_set_callback(sources[i], fire, NULL, NULL);
            g_source_attach(sources[i], fixture.context);
        }
        if (firing) g_main_loop_run(fixture.loop);
        for (int i = 0; i < count; i++) {
            GSource *source = sources[timer_place((uint32_t)i, (uint32_t)count)];
            g_source_destroy(source);
            g_source_unref(source);
        }
    }
    uint64_t time = bench_now() - start;
    close_loop(fixture);
    free(sources);
    return time;
}

static uint64_t do_fire(int count, uint64_t rounds) { return do_timers(count, rounds, true); }
static uint64_t do_cancel(int count, uint64_t rounds) { return do_timers(count, rounds, false); }

struct blocks {
    GMainContext *context;
    int count, left;
    uint64_t rounds;
};

static void give(struct blocks *blocks);

static gboolean block(gpointer data) {
    struct blocks *blocks = data;
    if (--blocks->left == 0) {
        if (--blocks->rounds > 0) give(blocks); else g_main_loop_quit(current);
    }
    return G_SOURCE_REMOVE;
}

static void give(struct blocks *blocks) {
    blocks->left = blocks->count;
    for (int i = 0; i < blocks->count; i++) {
        GSource *source = g_idle_source_new();
        g_source_set_callback(source, block, blocks, NULL);
        g_source_attach(source, blocks->context);
        g_source_unref(source);
    }
}

static uint64_t do_blocks(int count, uint64_t rounds) {
    struct fixture fixture = open_loop();
    current = fixture.loop;
    struct blocks blocks = {fixture.context, count, 0, rounds};
    uint64_t start = bench_now();
    give(&blocks);
    g_main_loop_run(fixture.loop);
    uint64_t time = bench_now() - start;
    close_loop(fixture);
    return time;
}

static struct waker *waker;

static gboolean woken(gpointer data) {
    if (waker_seen(waker)) g_main_loop_quit(current);
    return G_SOURCE_REMOVE;
}

static void wake(void *context) { g_main_context_invoke(context, woken, NULL); }

static void do_wakeups(uint64_t *latencies, size_t count) {
    struct fixture fixture = open_loop();
    current = fixture.loop;
    // Owned by this thread before the other begins, which would run the callback itself in a context nobody owns.
    if (!g_main_context_acquire(fixture.context)) abort();
    waker = waker_start(wake, fixture.context, latencies, count);
    g_main_loop_run(fixture.loop);
    waker_join(waker);
    g_main_context_release(fixture.context);
    close_loop(fixture);
}

const struct peer glib = {"GLib", do_ring, do_fire, do_cancel, do_blocks, do_wakeups};
