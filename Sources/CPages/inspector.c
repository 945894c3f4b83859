#include "CPages.h"

#include <string.h>

// `.embedInCode` writes each file as an array literal of Swift, for which the compiler takes 25 s for these files.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "../touchd-inspect/Page/index.html"
};
static const unsigned char inspector_css[] = {
#embed "../touchd-inspect/Page/inspector.css"
};
static const unsigned char asking_js[] = {
#embed "../touchd-inspect/Page/asking.js"
};
static const unsigned char connection_js[] = {
#embed "../touchd-inspect/Page/connection.js"
};
static const unsigned char day_js[] = {
#embed "../touchd-inspect/Page/day.js"
};
static const unsigned char drawing_js[] = {
#embed "../touchd-inspect/Page/drawing.js"
};
static const unsigned char happenings_js[] = {
#embed "../touchd-inspect/Page/happenings.js"
};
static const unsigned char inspector_js[] = {
#embed "../touchd-inspect/Page/inspector.js"
};
static const unsigned char moment_js[] = {
#embed "../touchd-inspect/Page/moment.js"
};
static const unsigned char seen_js[] = {
#embed "../touchd-inspect/Page/seen.js"
};
static const unsigned char sidebar_js[] = {
#embed "../touchd-inspect/Page/sidebar.js"
};
static const unsigned char stage_js[] = {
#embed "../touchd-inspect/Page/stage.js"
};
static const unsigned char state_js[] = {
#embed "../touchd-inspect/Page/state.js"
};
static const unsigned char timeline_js[] = {
#embed "../touchd-inspect/Page/timeline.js"
};
static const unsigned char trial_js[] = {
#embed "../touchd-inspect/Page/trial.js"
};
static const unsigned char trying_js[] = {
#embed "../touchd-inspect/Page/trying.js"
};

static const struct {
    const char *path;
    const unsigned char *bytes;
    size_t size;
} files[] = {
    {"/", index_html, sizeof index_html},
    {"/inspector.css", inspector_css, sizeof inspector_css},
    {"/asking.js", asking_js, sizeof asking_js},
    {"/connection.js", connection_js, sizeof connection_js},
    {"/day.js", day_js, sizeof day_js},
    {"/drawing.js", drawing_js, sizeof drawing_js},
    {"/happenings.js", happenings_js, sizeof happenings_js},
    {"/inspector.js", inspector_js, sizeof inspector_js},
    {"/moment.js", moment_js, sizeof moment_js},
    {"/seen.js", seen_js, sizeof seen_js},
    {"/sidebar.js", sidebar_js, sizeof sidebar_js},
    {"/stage.js", stage_js, sizeof stage_js},
    {"/state.js", state_js, sizeof state_js},
    {"/timeline.js", timeline_js, sizeof timeline_js},
    {"/trial.js", trial_js, sizeof trial_js},
    {"/trying.js", trying_js, sizeof trying_js},
};

const unsigned char *inspector_page_file(const char *path, size_t *size) {
    for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
        if (strcmp(files[index].path, path)) continue;
        *size = files[index].size;
        return files[index].bytes;
    }
    return NULL;
}
