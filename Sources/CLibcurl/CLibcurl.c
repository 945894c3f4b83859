#include "CLibcurl.h"
#include <dlfcn.h>
#include <stddef.h>

#define POINTER(name) __typeof__(name) *p_##name;
CURL_FUNCTIONS(POINTER)

static void *library;

const char *lazy_curl_load(void) {
    if (library) return NULL;
    // The name is that of libcurl's ABI since 2006; the second is Debian's build with GnuTLS.
    void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!handle) handle = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
        return dlerror();
    }
#define RESOLVE(name)                                                                                                  \
    p_##name = (__typeof__(name) *)dlsym(handle, #name);                                                               \
    if (!p_##name) return dlerror();
    CURL_FUNCTIONS(RESOLVE)
    library = handle;
    return NULL;
}

static size_t discard(char *data, size_t size, size_t count, void *user) {
    (void)data;
    curl_off_t received = 0;
    p_curl_easy_getinfo((CURL *)user, CURLINFO_SIZE_DOWNLOAD_T, &received);
    return received > lazy_curl_answer_limit ? 0 : size * count;
}

CURLcode lazy_curl_easy_discard_answer(CURL *easy) {
    p_curl_easy_setopt(easy, CURLOPT_WRITEDATA, easy);
    return p_curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
}
