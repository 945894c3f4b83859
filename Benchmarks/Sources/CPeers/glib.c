#include "CPeers.h"

#include <glib-unix.h>

struct blocks;
static void block_ran(struct blocks *blocks);

typedef GMainLoop loop;
typedef GSource *source;
typedef GSource *timer;
typedef struct blocks *block;
static uint64_t left;
static loop *current;

static loop *open_loop(void) {
    GMainContext *context = g_main_context_new();
    current = g_main_loop_new(context, FALSE);
    g_main_context_unref(context);
    return current;
}

static void close_loop(loop *loop) { g_main_loop_unref(loop); }

static GSource *attach(loop *loop, GSource *source, GSourceFunc function, void *data) {
    g_source_set_callback(source, function, data, NULL);
    g_source_attach(source, g_main_loop_get_context(loop));
    g_source_unref(source);
    return source;
}

static gboolean step(gint descriptor, GIOCondition condition, gpointer ring) {
    if (ring_step(ring, descriptor)) g_main_loop_quit(current);
    return G_SOURCE_CONTINUE;
}

static void watch(loop *loop, source *source, int descriptor, struct ring *ring) {
    *source = attach(loop, g_unix_fd_source_new(descriptor, G_IO_IN), G_SOURCE_FUNC(step), ring);
}

static void settle(loop *loop) {}
static void run(loop *loop) { g_main_loop_run(loop); }
static void stop(loop *loop) { g_main_loop_quit(loop); }

static gboolean fire(gpointer data) {
    if (--left == 0) stop(current);
    return G_SOURCE_REMOVE;
}

static void make_timer(loop *loop, timer *timer) {}

static void arm(loop *loop, timer *timer, uint32_t delay) {
    *timer = attach(loop, g_timeout_source_new(delay), fire, NULL);
}

static void cancel(loop *loop, timer *timer) { g_source_destroy(*timer); }

static gboolean run_block(gpointer blocks) {
    block_ran(blocks);
    return G_SOURCE_REMOVE;
}

static void make_block(loop *loop, block *block, struct blocks *blocks) { *block = blocks; }
static void perform(loop *loop, block *block) { attach(loop, g_idle_source_new(), run_block, *block); }

#include "rows.h"
const struct peer glib = {"GLib", do_ring, do_timers, do_blocks};
