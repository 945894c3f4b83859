#include "CLibmosquitto.h"
#include <dlfcn.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#define POINTER(name) __typeof__(name) *p_##name;
MOSQUITTO_FUNCTIONS(POINTER)

static void *library;

const char *lazy_mosquitto_load(void) {
    if (library) return NULL;
    void *handle = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
#define RESOLVE(name)                                                                                                  \
    p_##name = (__typeof__(name) *)dlsym(handle, #name);                                                               \
    if (!p_##name) return dlerror();
    MOSQUITTO_FUNCTIONS(RESOLVE)
    library = handle;
    p_mosquitto_lib_init();
    return NULL;
}

uint64_t lazy_mosquitto_bytes_received(struct mosquitto *client) {
    struct tcp_info information = {0};
    socklen_t length = sizeof information;
    if (getsockopt(p_mosquitto_socket(client), IPPROTO_TCP, TCP_INFO, &information, &length)) return 0;
    return information.tcpi_bytes_received;
}
