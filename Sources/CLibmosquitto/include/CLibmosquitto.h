// libmosquitto, loaded when a layout first needs it, as it brings TLS along. Each function stands for the library's of the
// same name.
#pragma once

#include <mosquitto.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOSQUITTO_FUNCTIONS(X)                                                                                         \
    X(mosquitto_lib_init) X(mosquitto_new) X(mosquitto_destroy) X(mosquitto_username_pw_set) X(mosquitto_tls_set)      \
    X(mosquitto_connect_async) X(mosquitto_disconnect) X(mosquitto_publish) X(mosquitto_loop_read)                     \
    X(mosquitto_loop_write) X(mosquitto_loop_misc) X(mosquitto_socket) X(mosquitto_want_write)                         \
    X(mosquitto_connect_callback_set) X(mosquitto_publish_callback_set) X(mosquitto_disconnect_callback_set)           \
    X(mosquitto_message_callback_set) X(mosquitto_strerror) X(mosquitto_connack_string) X(mosquitto_will_set)          \
    X(mosquitto_subscribe) X(mosquitto_subscribe_callback_set)

#define MOSQUITTO_POINTER(name) extern __typeof__(name) *_Nonnull p_##name;
MOSQUITTO_FUNCTIONS(MOSQUITTO_POINTER)

// Loads the library. Answers NULL, or what the dynamic loader says is wrong. To be called before all others, by one thread.
const char *_Nullable lazy_mosquitto_load(void);

// With a client identifier, or NULL to let the broker choose one.
static inline struct mosquitto *_Nullable lazy_mosquitto_new(const char *_Nullable identifier, void *_Nonnull user) {
    return p_mosquitto_new(identifier, true, user);
}
static inline void lazy_mosquitto_destroy(struct mosquitto *_Nonnull client) { p_mosquitto_destroy(client); }
static inline int lazy_mosquitto_username_pw_set(
    struct mosquitto *_Nonnull client, const char *_Nullable username, const char *_Nullable password) {
    return p_mosquitto_username_pw_set(client, username, password);
}
static inline int lazy_mosquitto_tls_set(
    struct mosquitto *_Nonnull client, const char *_Nullable cafile, const char *_Nullable capath) {
    return p_mosquitto_tls_set(client, cafile, capath, NULL, NULL, NULL);
}
static inline int lazy_mosquitto_connect_async(
    struct mosquitto *_Nonnull client, const char *_Nonnull host, int port, int keepalive) {
    return p_mosquitto_connect_async(client, host, port, keepalive);
}
static inline int lazy_mosquitto_disconnect(struct mosquitto *_Nonnull client) { return p_mosquitto_disconnect(client); }
static inline int lazy_mosquitto_publish(
    struct mosquitto *_Nonnull client, int *_Nonnull message, const char *_Nonnull topic, int length,
    const void *_Nullable payload, int qos, bool retain) {
    return p_mosquitto_publish(client, message, topic, length, payload, qos, retain);
}
// Retained, with quality of service 1.
static inline int lazy_mosquitto_will_set(
    struct mosquitto *_Nonnull client, const char *_Nonnull topic, const char *_Nonnull payload, int length) {
    return p_mosquitto_will_set(client, topic, length, payload, 1, true);
}
// With quality of service 1.
static inline int lazy_mosquitto_subscribe(struct mosquitto *_Nonnull client, const char *_Nonnull topic) {
    return p_mosquitto_subscribe(client, NULL, topic, 1);
}
static inline void lazy_mosquitto_set_subscribed(
    struct mosquitto *_Nonnull client,
    void (*_Nonnull subscribed)(
        struct mosquitto *_Nullable, void *_Nullable, int message, int count, const int *_Nullable granted)) {
    p_mosquitto_subscribe_callback_set(client, subscribed);
}
static inline int lazy_mosquitto_loop_read(struct mosquitto *_Nonnull client) { return p_mosquitto_loop_read(client, 1); }
static inline int lazy_mosquitto_loop_write(struct mosquitto *_Nonnull client) { return p_mosquitto_loop_write(client, 1); }
static inline int lazy_mosquitto_loop_misc(struct mosquitto *_Nonnull client) { return p_mosquitto_loop_misc(client); }
static inline int lazy_mosquitto_socket(struct mosquitto *_Nonnull client) { return p_mosquitto_socket(client); }
// The bytes that the kernel has received on the connection so far, read by the library or not (tcp(7), TCP_INFO). Not of the
// library: it has no limit on what a broker sends.
uint64_t lazy_mosquitto_bytes_received(struct mosquitto *_Nonnull client);
static inline bool lazy_mosquitto_want_write(struct mosquitto *_Nonnull client) { return p_mosquitto_want_write(client); }
static inline void lazy_mosquitto_set_callbacks(
    struct mosquitto *_Nonnull client,
    void (*_Nonnull connected)(struct mosquitto *_Nullable, void *_Nullable, int code),
    void (*_Nonnull published)(struct mosquitto *_Nullable, void *_Nullable, int message),
    void (*_Nonnull disconnected)(struct mosquitto *_Nullable, void *_Nullable, int code),
    void (*_Nonnull received)(struct mosquitto *_Nullable, void *_Nullable, const struct mosquitto_message *_Nullable)) {
    p_mosquitto_connect_callback_set(client, connected);
    p_mosquitto_publish_callback_set(client, published);
    p_mosquitto_disconnect_callback_set(client, disconnected);
    p_mosquitto_message_callback_set(client, received);
}
static inline const char *_Nonnull lazy_mosquitto_strerror(int code) { return p_mosquitto_strerror(code); }
static inline const char *_Nonnull lazy_mosquitto_connack_string(int code) { return p_mosquitto_connack_string(code); }
