// libmosquitto, loaded when a layout first needs it, as it brings TLS along. Each function stands for the library's of the
// same name.
#pragma once

#include <mosquitto.h>
#include <stdbool.h>
#include <stdint.h>

// Loads the library. Answers NULL, or what the dynamic loader says is wrong. To be called before all others, by one thread.
const char *_Nullable lazy_mosquitto_load(void);

// With a client identifier, or NULL to let the broker choose one.
struct mosquitto *_Nullable lazy_mosquitto_new(const char *_Nullable identifier, void *_Nonnull user);
void lazy_mosquitto_destroy(struct mosquitto *_Nonnull client);
int lazy_mosquitto_username_pw_set(
    struct mosquitto *_Nonnull client, const char *_Nullable username, const char *_Nullable password);
int lazy_mosquitto_tls_set(
    struct mosquitto *_Nonnull client, const char *_Nullable cafile, const char *_Nullable capath);
int lazy_mosquitto_connect_async(struct mosquitto *_Nonnull client, const char *_Nonnull host, int port, int keepalive);
int lazy_mosquitto_disconnect(struct mosquitto *_Nonnull client);
int lazy_mosquitto_publish(
    struct mosquitto *_Nonnull client, int *_Nonnull message, const char *_Nonnull topic, int length,
    const void *_Nullable payload, int qos, bool retain);
// Retained, with quality of service 1.
int lazy_mosquitto_will_set(
    struct mosquitto *_Nonnull client, const char *_Nonnull topic, const char *_Nonnull payload, int length);
// With quality of service 1.
int lazy_mosquitto_subscribe(struct mosquitto *_Nonnull client, const char *_Nonnull topic);
void lazy_mosquitto_set_subscribed(
    struct mosquitto *_Nonnull client,
    void (*_Nonnull subscribed)(
        struct mosquitto *_Nullable, void *_Nullable, int message, int count, const int *_Nullable granted));
int lazy_mosquitto_loop_read(struct mosquitto *_Nonnull client);
int lazy_mosquitto_loop_write(struct mosquitto *_Nonnull client);
int lazy_mosquitto_loop_misc(struct mosquitto *_Nonnull client);
int lazy_mosquitto_socket(struct mosquitto *_Nonnull client);
// The bytes that the kernel has received on the connection so far, read by the library or not (tcp(7), TCP_INFO). Not of the
// library: it has no limit on what a broker sends.
uint64_t lazy_mosquitto_bytes_received(struct mosquitto *_Nonnull client);
bool lazy_mosquitto_want_write(struct mosquitto *_Nonnull client);
void lazy_mosquitto_set_callbacks(
    struct mosquitto *_Nonnull client,
    void (*_Nonnull connected)(struct mosquitto *_Nullable, void *_Nullable, int code),
    void (*_Nonnull published)(struct mosquitto *_Nullable, void *_Nullable, int message),
    void (*_Nonnull disconnected)(struct mosquitto *_Nullable, void *_Nullable, int code),
    void (*_Nonnull received)(struct mosquitto *_Nullable, void *_Nullable, const struct mosquitto_message *_Nullable));
const char *_Nonnull lazy_mosquitto_strerror(int code);
const char *_Nonnull lazy_mosquitto_connack_string(int code);
