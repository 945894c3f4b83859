#pragma once
#include <libevdev/libevdev.h>
#include <libevdev/libevdev-uinput.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Swift imports va_list as another type on each architecture, so libevdev's log is read in C.
static inline void read_log(
    const struct libevdev *device, enum libevdev_log_priority priority, void *data, const char *file, int line,
    const char *function, const char *format, va_list arguments) {
    char message[256];
    vsnprintf(message, sizeof(message), format, arguments);
    // A second -1 for an empty slot changes nothing.
    if (strstr(message, "double tracking ID") && !strstr(message, "double tracking ID -1")) *(bool *)data = true;
}

/// Receives libevdev's log messages about a device, which would otherwise go to standard error for each event, and sets
/// `hasDiscarded` at the one for a discarded event. libevdev reports it nowhere else.
static inline void libevdev_watch_discarded(struct libevdev *_Nonnull device, bool *_Nonnull hasDiscarded) {
    libevdev_set_device_log_function(device, read_log, LIBEVDEV_LOG_ERROR, hasDiscarded);
}
