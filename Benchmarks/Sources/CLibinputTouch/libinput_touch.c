#define _GNU_SOURCE
#include "CLibinputTouch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libinput.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct libinput_touch {
    struct libinput *context;
    // It belongs to the context; NULL once it is unplugged.
    struct libinput_device *device;
};

// The node that libinput opened, and the device number that umockdev gives its path.
static int node = -1;
static dev_t number;

static int open_node(const char *path, int flags, void *data) {
    struct stat status;
    node = open(path, flags | O_CLOEXEC);
    if (node >= 0 && stat(path, &status) == 0) number = status.st_rdev;
    return node < 0 ? -errno : node;
}

// libinput asks the open node for its number, which is that of the pseudo-terminal behind it.
int fstat64(int descriptor, struct stat64 *status) {
    int (*real)(int, struct stat64 *) = (int (*)(int, struct stat64 *))dlsym(RTLD_NEXT, "fstat64");
    int answer = real(descriptor, status);
    if (answer == 0 && descriptor == node) status->st_rdev = number;
    return answer;
}

static void close_node(int descriptor, void *data) { close(descriptor); }

static const struct libinput_interface nodes = {.open_restricted = open_node, .close_restricted = close_node};

static void quiet(struct libinput *context, enum libinput_log_priority priority, const char *format, va_list arguments) {
    if (getenv("LIBINPUT_TALK")) vfprintf(stderr, format, arguments);
}

struct libinput_touch *libinput_touch_open(const char *path) {
    struct libinput_touch *touch = malloc(sizeof *touch);
    touch->context = libinput_path_create_context(&nodes, NULL);
    libinput_log_set_handler(touch->context, quiet);
    if (getenv("LIBINPUT_TALK")) libinput_log_set_priority(touch->context, LIBINPUT_LOG_PRIORITY_DEBUG);
    touch->device = libinput_path_add_device(touch->context, path);
    if (!touch->device) {
        libinput_touch_close(touch);
        return NULL;
    }
    return touch;
}

void libinput_touch_close(struct libinput_touch *touch) {
    libinput_unref(touch->context);
    free(touch);
}

bool libinput_touch_takes_touch(struct libinput_touch *touch) {
    return libinput_device_has_capability(touch->device, LIBINPUT_DEVICE_CAP_TOUCH);
}

int libinput_touch_descriptor(struct libinput_touch *touch) { return libinput_get_fd(touch->context); }

void libinput_touch_unplug(struct libinput_touch *touch) {
    libinput_path_remove_device(touch->device);
    touch->device = NULL;
}

static inline int take(struct libinput_touch *touch, touch_handler handler, void *data) {
    struct libinput_event *event;
    int count = 0;
    libinput_dispatch(touch->context);
    while ((event = libinput_get_event(touch->context))) {
        struct libinput_event_touch *contact;
        count++;
        switch (libinput_event_get_type(event)) {
        case LIBINPUT_EVENT_TOUCH_DOWN:
        case LIBINPUT_EVENT_TOUCH_MOTION:
            contact = libinput_event_get_touch_event(event);
            handler(data,
                libinput_event_get_type(event) == LIBINPUT_EVENT_TOUCH_DOWN ? TOUCH_DOWN : TOUCH_MOTION,
                libinput_event_touch_get_slot(contact), libinput_event_touch_get_x_transformed(contact, 1000000),
                libinput_event_touch_get_y_transformed(contact, 1000000));
            break;
        case LIBINPUT_EVENT_TOUCH_UP:
        case LIBINPUT_EVENT_TOUCH_CANCEL:
            contact = libinput_event_get_touch_event(event);
            handler(data, libinput_event_get_type(event) == LIBINPUT_EVENT_TOUCH_UP ? TOUCH_UP : TOUCH_CANCEL,
                libinput_event_touch_get_slot(contact), 0, 0);
            break;
        default: break;
        }
        libinput_event_destroy(event);
    }
    return count;
}

__attribute__((noinline)) int libinput_touch_dispatch(
    struct libinput_touch *touch, touch_handler handler, void *data) {
    return take(touch, handler, data);
}

__attribute__((noinline)) int libinput_touch_warm_up(
    struct libinput_touch *touch, touch_handler handler, void *data) {
    return take(touch, handler, data);
}

// umockdev keeps no database of udev, by which libudev knows that udevd has dealt with a device; libinput waits for that.
int udev_device_get_is_initialized(struct udev_device *device) { return 1; }

// umockdev answers a read of a node through another thread, which takes a hundred times as long as the read: both
// readers read the pseudo-terminal itself.
ssize_t read(int descriptor, void *buffer, size_t size) { return syscall(SYS_read, descriptor, buffer, size); }

int unread_bytes(int descriptor) {
    int count = 0;
    return syscall(SYS_ioctl, descriptor, FIONREAD, &count) == 0 ? count : -errno;
}
