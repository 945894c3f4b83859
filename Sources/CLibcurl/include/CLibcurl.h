// libcurl, loaded when a layout first needs it: with all that it links, Kerberos, LDAP and TLS, it would more than double
// the memory of a touchd that sends nothing. Each function stands for libcurl's of the same name; those that take a
// variable number of arguments, which Swift cannot call, are split by the type of the last one.
#pragma once

#include <curl/curl.h>
#include <stdbool.h>

// Loads the library. Answers NULL, or what the dynamic loader says is wrong. To be called before all others, by one thread.
const char *_Nullable lazy_curl_load(void);

CURLcode lazy_curl_global_init(long flags);
CURL *_Nullable lazy_curl_easy_init(void);
void lazy_curl_easy_cleanup(CURL *_Nonnull easy);
// Forgets all options, and keeps connections.
void lazy_curl_easy_reset(CURL *_Nonnull easy);
CURLcode lazy_curl_easy_perform(CURL *_Nonnull easy);
// Sets CURLOPT_PREREQFUNCTION, which is called when the connection is made and before the request is sent. Its texts are
// the addresses of both ends.
CURLcode lazy_curl_easy_set_before_request(
    CURL *_Nonnull easy,
    int (*_Nonnull before)(void *_Nullable user, char *_Nullable remote, char *_Nullable local, int, int),
    void *_Nonnull user);
CURLcode lazy_curl_easy_setopt_long(CURL *_Nonnull easy, CURLoption option, long value);
CURLcode lazy_curl_easy_setopt_size(CURL *_Nonnull easy, CURLoption option, curl_off_t value);
CURLcode lazy_curl_easy_setopt_string(CURL *_Nonnull easy, CURLoption option, const char *_Nonnull value);
CURLcode lazy_curl_easy_setopt_list(CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value);
// Drops the body of the answer, which libcurl would write to standard output. After this number of bytes the transfer ends
// with CURLE_WRITE_ERROR: nobody reads the body, and a server could send it without end.
static const curl_off_t lazy_curl_answer_limit = 64 * 1024;
CURLcode lazy_curl_easy_discard_answer(CURL *_Nonnull easy);
long lazy_curl_easy_response_code(CURL *_Nonnull easy);
const char *_Nonnull lazy_curl_easy_strerror(CURLcode code);
struct curl_slist *_Nullable lazy_curl_slist_append(struct curl_slist *_Nullable list, const char *_Nonnull text);
void lazy_curl_slist_free_all(struct curl_slist *_Nullable list);
