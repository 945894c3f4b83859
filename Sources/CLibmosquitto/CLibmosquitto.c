#include "CLibmosquitto.h"
#include <dlfcn.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>

#define FUNCTIONS(X)                                                                                                   \
    X(mosquitto_lib_init) X(mosquitto_new) X(mosquitto_destroy) X(mosquitto_username_pw_set) X(mosquitto_tls_set)      \
    X(mosquitto_connect_async) X(mosquitto_disconnect) X(mosquitto_publish) X(mosquitto_loop_read)                     \
    X(mosquitto_loop_write) X(mosquitto_loop_misc) X(mosquitto_socket) X(mosquitto_want_write)                         \
    X(mosquitto_connect_callback_set) X(mosquitto_publish_callback_set) X(mosquitto_disconnect_callback_set)           \
    X(mosquitto_message_callback_set) X(mosquitto_strerror) X(mosquitto_connack_string) X(mosquitto_will_set)          \
    X(mosquitto_subscribe) X(mosquitto_subscribe_callback_set)

#define POINTER(name) static __typeof__(name) *p_##name;
FUNCTIONS(POINTER)

static void *library;

const char *lazy_mosquitto_load(void) {
    if (library) return NULL;
    void *handle = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
#define RESOLVE(name)                                                                                                  \
    p_##name = (__typeof__(name) *)dlsym(handle, #name);                                                               \
    if (!p_##name) return dlerror();
    FUNCTIONS(RESOLVE)
    library = handle;
    p_mosquitto_lib_init();
    return NULL;
}

struct mosquitto *lazy_mosquitto_new(const char *identifier, void *user) {
    return p_mosquitto_new(identifier, true, user);
}
void lazy_mosquitto_destroy(struct mosquitto *client) { p_mosquitto_destroy(client); }
int lazy_mosquitto_username_pw_set(struct mosquitto *client, const char *username, const char *password) {
    return p_mosquitto_username_pw_set(client, username, password);
}
int lazy_mosquitto_tls_set(struct mosquitto *client, const char *cafile, const char *capath) {
    return p_mosquitto_tls_set(client, cafile, capath, NULL, NULL, NULL);
}
int lazy_mosquitto_connect_async(struct mosquitto *client, const char *host, int port, int keepalive) {
    return p_mosquitto_connect_async(client, host, port, keepalive);
}
int lazy_mosquitto_disconnect(struct mosquitto *client) { return p_mosquitto_disconnect(client); }
int lazy_mosquitto_publish(
    struct mosquitto *client, int *message, const char *topic, int length, const void *payload, int qos, bool retain) {
    return p_mosquitto_publish(client, message, topic, length, payload, qos, retain);
}
int lazy_mosquitto_will_set(struct mosquitto *client, const char *topic, const char *payload, int length) {
    return p_mosquitto_will_set(client, topic, length, payload, 1, true);
}
int lazy_mosquitto_subscribe(struct mosquitto *client, const char *topic) {
    return p_mosquitto_subscribe(client, NULL, topic, 1);
}
void lazy_mosquitto_set_subscribed(
    struct mosquitto *client, void (*subscribed)(struct mosquitto *, void *, int, int, const int *)) {
    p_mosquitto_subscribe_callback_set(client, subscribed);
}
int lazy_mosquitto_loop_read(struct mosquitto *client) { return p_mosquitto_loop_read(client, 1); }
int lazy_mosquitto_loop_write(struct mosquitto *client) { return p_mosquitto_loop_write(client, 1); }
int lazy_mosquitto_loop_misc(struct mosquitto *client) { return p_mosquitto_loop_misc(client); }
int lazy_mosquitto_socket(struct mosquitto *client) { return p_mosquitto_socket(client); }
uint64_t lazy_mosquitto_bytes_received(struct mosquitto *client) {
    struct tcp_info information = {0};
    socklen_t length = sizeof information;
    if (getsockopt(p_mosquitto_socket(client), IPPROTO_TCP, TCP_INFO, &information, &length)) return 0;
    return information.tcpi_bytes_received;
}
bool lazy_mosquitto_want_write(struct mosquitto *client) { return p_mosquitto_want_write(client); }
void lazy_mosquitto_set_callbacks(
    struct mosquitto *client, void (*connected)(struct mosquitto *, void *, int),
    void (*published)(struct mosquitto *, void *, int), void (*disconnected)(struct mosquitto *, void *, int),
    void (*received)(struct mosquitto *, void *, const struct mosquitto_message *)) {
    p_mosquitto_connect_callback_set(client, connected);
    p_mosquitto_publish_callback_set(client, published);
    p_mosquitto_disconnect_callback_set(client, disconnected);
    p_mosquitto_message_callback_set(client, received);
}
const char *lazy_mosquitto_strerror(int code) { return p_mosquitto_strerror(code); }
const char *lazy_mosquitto_connack_string(int code) { return p_mosquitto_connack_string(code); }
