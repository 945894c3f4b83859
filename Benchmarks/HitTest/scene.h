// The views and points that bench-hittest wrote, and the clock, for the programs that measure other toolkits.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct scene_view {
    int parent; // -1: the root
    double x, y, width, height, degrees;
};

struct scene {
    char name[64];
    int width, height, view_count, point_count;
    struct scene_view *views;
    int (*points)[2];
    int *answers; // per point: the number of the view, -1: the root or nothing
};

static inline struct scene scene_read(const char *path) {
    struct scene scene;
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%63s %d %d %d %d", scene.name, &scene.width, &scene.height, &scene.view_count,
                        &scene.point_count) != 5) {
        fprintf(stderr, "%s: not a scene\n", path);
        exit(1);
    }
    scene.views = (struct scene_view *)calloc((size_t)scene.view_count, sizeof *scene.views);
    scene.points = (int(*)[2])calloc((size_t)scene.point_count, sizeof *scene.points);
    scene.answers = (int *)calloc((size_t)scene.point_count, sizeof *scene.answers);
    for (int i = 0; i < scene.view_count; i++) {
        struct scene_view *view = &scene.views[i];
        if (fscanf(file, "%d %lf %lf %lf %lf %lf", &view->parent, &view->x, &view->y, &view->width, &view->height,
                   &view->degrees) != 6)
            exit(1);
    }
    for (int i = 0; i < scene.point_count; i++)
        if (fscanf(file, "%d %d", &scene.points[i][0], &scene.points[i][1]) != 2) exit(1);
    fclose(file);
    return scene;
}

static inline double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Prints a line of results: what, nanoseconds a point.
static inline void report(const char *what, double nanoseconds) { printf("%s %.1f\n", what, nanoseconds); }

// Writes the answers, for bench-hittest to compare.
static inline void scene_write_answers(const struct scene *scene, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) exit(1);
    for (int i = 0; i < scene->point_count; i++) fprintf(file, "%d\n", scene->answers[i]);
    fclose(file);
}

// Runs `look` over all points until it has taken 50 ms or gone over them 3 times, whichever is later; the least time.
#define SCENE_MEASURE(scene, result, look)                                                                             \
    do {                                                                                                               \
        double least = 1e18, start = now();                                                                            \
        for (int round = 0; round < 3 || now() - start < 5e7; round++) {                                               \
            double before = now();                                                                                     \
            for (int i = 0; i < (scene)->point_count; i++) (scene)->answers[i] = look;                                 \
            double each = (now() - before) / (scene)->point_count;                                                     \
            if (each < least) least = each;                                                                            \
            if (now() - start > 3e9) break;                                                                            \
        }                                                                                                              \
        (result) = least;                                                                                              \
    } while (0)
