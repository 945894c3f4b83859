#define _GNU_SOURCE
#include "CLibinputTouch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libinput.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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

static void ignore(struct libinput *context, enum libinput_log_priority priority, const char *format, va_list arguments) {}

struct libinput *libinput_touch_open(const char *path) {
    struct libinput *context = libinput_path_create_context(&nodes, NULL);
    libinput_log_set_handler(context, ignore);
    return libinput_path_add_device(context, path) ? context : NULL;
}

int libinput_touch_descriptor(struct libinput *context) { return libinput_get_fd(context); }

void libinput_touch_dispatch(struct libinput *context, touch_handler handler, void *data) {
    struct libinput_event *event;
    libinput_dispatch(context);
    while ((event = libinput_get_event(context))) {
        struct libinput_event_touch *contact;
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
