#include "CPages.h"

#include <string.h>

// `.embedInCode` writes each file as an array literal of Swift, for which the compiler takes 25 s for these files.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Each file ends with a null character; none contains one.
static const struct {
    const char *path;
    const unsigned char *bytes;
} files[] = {
    {"/", (const unsigned char[]){
#embed "../touchd-inspect/Page/index.html" suffix(, 0)
    }},
    {"/inspector.css", (const unsigned char[]){
#embed "../touchd-inspect/Page/inspector.css" suffix(, 0)
    }},
    {"/asking.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/asking.js" suffix(, 0)
    }},
    {"/connection.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/connection.js" suffix(, 0)
    }},
    {"/day.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/day.js" suffix(, 0)
    }},
    {"/drawing.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/drawing.js" suffix(, 0)
    }},
    {"/happenings.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/happenings.js" suffix(, 0)
    }},
    {"/inspector.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/inspector.js" suffix(, 0)
    }},
    {"/moment.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/moment.js" suffix(, 0)
    }},
    {"/seen.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/seen.js" suffix(, 0)
    }},
    {"/sidebar.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/sidebar.js" suffix(, 0)
    }},
    {"/stage.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/stage.js" suffix(, 0)
    }},
    {"/state.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/state.js" suffix(, 0)
    }},
    {"/timeline.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/timeline.js" suffix(, 0)
    }},
    {"/trial.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/trial.js" suffix(, 0)
    }},
    {"/trying.js", (const unsigned char[]){
#embed "../touchd-inspect/Page/trying.js" suffix(, 0)
    }},
};

const unsigned char *inspector_page_file(const char *path, size_t *size) {
    for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
        if (strcmp(files[index].path, path)) continue;
        *size = strlen((const char *)files[index].bytes);
        return files[index].bytes;
    }
    return NULL;
}
