#include "CLinux.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

// glibc declares this only with _GNU_SOURCE.
int pthread_setattr_default_np(const pthread_attr_t *attributes);

_Static_assert(sizeof(long) == 8 && sizeof(time_t) == 8,
    "touchd needs a 64-bit system: on 32 bits, the layout of struct input_event depends on the size of time");
_Static_assert(sizeof(struct input_event) == 24 && offsetof(struct input_event, type) == 16
        && offsetof(struct input_event, code) == 18 && offsetof(struct input_event, value) == 20,
    "touchd needs a kernel whose struct input_event has 24 bytes");

int input_has_slots(int descriptor) {
    struct {
        __u32 code;
        __s32 value;
    } slot = {.code = ABS_MT_TRACKING_ID};
    return ioctl(descriptor, EVIOCGMTSLOTS(sizeof(slot)), &slot) >= 0;
}

int input_has_contact(int descriptor) {
    struct {
        __u32 code;
        __s32 values[64];
    } slots = {.code = ABS_MT_TRACKING_ID};
    // The kernel writes only the slots that the device has.
    for (int slot = 0; slot < 64; slot++) slots.values[slot] = -1;
    if (ioctl(descriptor, EVIOCGMTSLOTS(sizeof(slots)), &slots) >= 0) {
        for (int slot = 0; slot < 64; slot++) {
            if (slots.values[slot] >= 0) return 1;
        }
        return 0;
    }
    unsigned char keys[KEY_MAX / 8 + 1] = {0};
    if (ioctl(descriptor, EVIOCGKEY(sizeof(keys)), keys) < 0) return 0;
    return keys[BTN_TOUCH / 8] >> (BTN_TOUCH % 8) & 1;
}

ssize_t send_packet(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof(control.bytes);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    }
    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

ssize_t peek_bytes(int socket, void *bytes, size_t count, int *passes) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t peeked = recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT);
    *passes = peeked >= 0 && message.msg_flags & MSG_CTRUNC;
    return peeked;
}

ssize_t receive_bytes(int socket, void *bytes, size_t count) {
    int passes;
    ssize_t peeked = peek_bytes(socket, bytes, count, &passes);
    if (passes) {
        errno = EBADMSG;
        return -1;
    }
    return peeked > 0 ? recv(socket, bytes, peeked, MSG_DONTWAIT) : peeked;
}

ssize_t receive_packet(int socket, void *bytes, size_t count, int *passed, int *passed_count) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(passed_limit * sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    *passed_count = 0;
    if (passed) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof(control.bytes);
    }
    ssize_t received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (received < 0) return received;
    for (struct cmsghdr *header = passed ? CMSG_FIRSTHDR(&message) : NULL; header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
            size_t size = header->cmsg_len - CMSG_LEN(0);
            memcpy(passed, CMSG_DATA(header), size);
            *passed_count = size / sizeof(int);
        }
    }
    return message.msg_flags & MSG_TRUNC ? 0 : received;
}

void refuse_descriptors(int socket) {
    int off = 0, on = 1;
    // SO_PASSRIGHTS of Linux 6.16, which older headers lack. Older kernels refuse it; then `peek_bytes` notices them.
    setsockopt(socket, SOL_SOCKET, 83, &off, sizeof(off));
    // Otherwise reading past an urgent byte (MSG_OOB) would discard it, with the descriptors that came with it.
    setsockopt(socket, SOL_SOCKET, SO_OOBINLINE, &on, sizeof(on));
}

int limit_memory(size_t more, size_t stack) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    int error = pthread_attr_setstacksize(&attributes, stack);
    if (!error) error = pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    if (error) {
        errno = error;
        return -1;
    }
    // proc_pid_statm(5): the sixth number is the pages of data and stack.
    size_t pages;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return -1;
    int count = fscanf(file, "%*s %*s %*s %*s %*s %zu", &pages);
    fclose(file);
    struct rlimit limit;
    if (count != 1 || getrlimit(RLIMIT_DATA, &limit)) return -1;
    rlim_t new = pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
    if (new < limit.rlim_cur) limit.rlim_cur = new;
    return setrlimit(RLIMIT_DATA, &limit);
}
