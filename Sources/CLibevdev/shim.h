#pragma once
#include <libevdev/libevdev.h>
#include <libevdev/libevdev-uinput.h>

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

/// A tracking id that libevdev discarded, because the slot held another one.
struct discarded_id {
    int id;
    bool is_set;
};

// Swift imports va_list as another type on each architecture, so libevdev's log is read in C.
static inline void read_log(
    const struct libevdev *device, enum libevdev_log_priority priority, void *data, const char *file, int line,
    const char *function, const char *format, va_list arguments) {
    if (!strstr(format, "double tracking ID %d in slot %d")) return;
    va_arg(arguments, const char *);
    int id = va_arg(arguments, int);
    int slot = va_arg(arguments, int);
    // A driver without slots in the kernel repeats the id in every report, and -1 for an empty slot: this changes nothing.
    if (id == libevdev_get_slot_value(device, slot, ABS_MT_TRACKING_ID)) return;
    // Otherwise the next synchronization would end the contact.
    libevdev_set_slot_value((struct libevdev *)device, slot, ABS_MT_TRACKING_ID, id);
    *(struct discarded_id *)data = (struct discarded_id){.id = id, .is_set = true};
}

/// Receives libevdev's log messages about a device, which would otherwise go to standard error for each event, and sets
/// `discarded` at the one for a discarded tracking id of the current slot. libevdev reports it nowhere else.
static inline void libevdev_watch_discarded(
    struct libevdev *_Nonnull device, struct discarded_id *_Nonnull discarded) {
    libevdev_set_device_log_function(device, read_log, LIBEVDEV_LOG_ERROR, discarded);
}
