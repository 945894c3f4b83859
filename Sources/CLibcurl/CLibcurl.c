#include "CLibcurl.h"
#include <dlfcn.h>
#include <stddef.h>

// curl.h wraps the variadic functions in macros that check types.
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FUNCTIONS(X)                                                                                                   \
    X(curl_global_init) X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_setopt) X(curl_easy_reset)                  \
    X(curl_easy_perform) X(curl_easy_getinfo) X(curl_easy_strerror) X(curl_slist_append) X(curl_slist_free_all)

#define POINTER(name) static __typeof__(name) *p_##name;
FUNCTIONS(POINTER)

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
    FUNCTIONS(RESOLVE)
    library = handle;
    return NULL;
}

static size_t discard(char *data, size_t size, size_t count, void *user) {
    (void)data;
    curl_off_t received = 0;
    p_curl_easy_getinfo((CURL *)user, CURLINFO_SIZE_DOWNLOAD_T, &received);
    return received > lazy_curl_answer_limit ? 0 : size * count;
}

CURLcode lazy_curl_global_init(long flags) { return p_curl_global_init(flags); }
CURL *lazy_curl_easy_init(void) { return p_curl_easy_init(); }
void lazy_curl_easy_cleanup(CURL *easy) { p_curl_easy_cleanup(easy); }
void lazy_curl_easy_reset(CURL *easy) { p_curl_easy_reset(easy); }
CURLcode lazy_curl_easy_perform(CURL *easy) { return p_curl_easy_perform(easy); }
CURLcode lazy_curl_easy_set_before_request(
    CURL *easy, int (*before)(void *user, char *remote, char *local, int, int), void *user) {
    p_curl_easy_setopt(easy, CURLOPT_PREREQDATA, user);
    return p_curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before);
}
CURLcode lazy_curl_easy_setopt_long(CURL *easy, CURLoption option, long value) {
    return p_curl_easy_setopt(easy, option, value);
}
CURLcode lazy_curl_easy_setopt_size(CURL *easy, CURLoption option, curl_off_t value) {
    return p_curl_easy_setopt(easy, option, value);
}
CURLcode lazy_curl_easy_setopt_string(CURL *easy, CURLoption option, const char *value) {
    return p_curl_easy_setopt(easy, option, value);
}
CURLcode lazy_curl_easy_setopt_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return p_curl_easy_setopt(easy, option, value);
}
CURLcode lazy_curl_easy_discard_answer(CURL *easy) {
    p_curl_easy_setopt(easy, CURLOPT_WRITEDATA, easy);
    return p_curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
}
long lazy_curl_easy_response_code(CURL *easy) {
    long code = 0;
    p_curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code);
    return code;
}
const char *lazy_curl_easy_strerror(CURLcode code) { return p_curl_easy_strerror(code); }
struct curl_slist *lazy_curl_slist_append(struct curl_slist *list, const char *text) {
    return p_curl_slist_append(list, text);
}
void lazy_curl_slist_free_all(struct curl_slist *list) { p_curl_slist_free_all(list); }
