#include "CPages.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char touchd_js[] = {
#embed "../touchd-web/Page/touchd.js"
};
static const unsigned char touchd_d_ts[] = {
#embed "../touchd-web/Page/touchd.d.ts"
};

const unsigned char *touchd_script_file(const char *path, size_t *size) {
    if (!strcmp(path, "/touchd.js")) {
        *size = sizeof touchd_js;
        return touchd_js;
    }
    if (strcmp(path, "/touchd.d.ts")) return NULL;
    *size = sizeof touchd_d_ts;
    return touchd_d_ts;
}
