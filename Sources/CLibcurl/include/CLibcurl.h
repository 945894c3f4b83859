// libcurl, loaded when a layout first needs it: with all that it links, Kerberos, LDAP and TLS, it would more than double
// the memory of a touchd that sends nothing. Each function stands for libcurl's of the same name; those that take a
// variable number of arguments, which Swift cannot call, are split by the type of the last one.
#pragma once

#include <curl/curl.h>
#include <stdbool.h>

// curl.h wraps the variadic functions in macros that check types.
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define CURL_FUNCTIONS(X)                                                                                              \
    X(curl_global_init) X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_setopt) X(curl_easy_reset)                  \
    X(curl_easy_perform) X(curl_easy_getinfo) X(curl_easy_strerror) X(curl_slist_append) X(curl_slist_free_all)

#define CURL_POINTER(name) extern __typeof__(name) *_Nonnull p_##name;
CURL_FUNCTIONS(CURL_POINTER)

// Loads the library. Answers NULL, or what the dynamic loader says is wrong. To be called before all others, by one thread.
const char *_Nullable lazy_curl_load(void);

static inline CURLcode lazy_curl_global_init(long flags) { return p_curl_global_init(flags); }
static inline CURL *_Nullable lazy_curl_easy_init(void) { return p_curl_easy_init(); }
static inline void lazy_curl_easy_cleanup(CURL *_Nonnull easy) { p_curl_easy_cleanup(easy); }
// Forgets all options, and keeps connections.
static inline void lazy_curl_easy_reset(CURL *_Nonnull easy) { p_curl_easy_reset(easy); }
static inline CURLcode lazy_curl_easy_perform(CURL *_Nonnull easy) { return p_curl_easy_perform(easy); }
// Sets CURLOPT_PREREQFUNCTION, which is called when the connection is made and before the request is sent. Its texts are
// the addresses of both ends.
static inline CURLcode lazy_curl_easy_set_before_request(
    CURL *_Nonnull easy,
    int (*_Nonnull before)(void *_Nullable user, char *_Nullable remote, char *_Nullable local, int, int),
    void *_Nonnull user) {
    p_curl_easy_setopt(easy, CURLOPT_PREREQDATA, user);
    return p_curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before);
}
#define CURL_SETTER(name, type)                                                                                         \
    static inline CURLcode lazy_curl_easy_setopt_##name(CURL *_Nonnull easy, CURLoption option, type value) {            \
        return p_curl_easy_setopt(easy, option, value);                                                                 \
    }
CURL_SETTER(long, long)
CURL_SETTER(size, curl_off_t)
CURL_SETTER(string, const char *_Nonnull)
CURL_SETTER(list, struct curl_slist *_Nullable)
// Drops the body of the answer, which libcurl would write to standard output. After this number of bytes the transfer ends
// with CURLE_WRITE_ERROR: nobody reads the body, and a server could send it without end.
static const curl_off_t lazy_curl_answer_limit = 64 * 1024;
CURLcode lazy_curl_easy_discard_answer(CURL *_Nonnull easy);
static inline long lazy_curl_easy_response_code(CURL *_Nonnull easy) {
    long code = 0;
    p_curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code);
    return code;
}
static inline const char *_Nonnull lazy_curl_easy_strerror(CURLcode code) { return p_curl_easy_strerror(code); }
static inline struct curl_slist *_Nullable lazy_curl_slist_append(
    struct curl_slist *_Nullable list, const char *_Nonnull text) {
    return p_curl_slist_append(list, text);
}
static inline void lazy_curl_slist_free_all(struct curl_slist *_Nullable list) { p_curl_slist_free_all(list); }
