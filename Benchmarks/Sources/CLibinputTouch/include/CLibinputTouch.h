// libinput, reduced to what a kiosk asks of it: the touches of one device, without a udev seat.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum touch_phase { TOUCH_DOWN, TOUCH_MOTION, TOUCH_UP, TOUCH_CANCEL };

// Positions are in millionths of the surface's width and height; an end has none.
typedef void (*touch_handler)(void *_Nullable data, enum touch_phase phase, int32_t slot, double x, double y);

struct libinput_touch;

// Opens an event node; NULL where libinput does not take it.
struct libinput_touch *_Nullable libinput_touch_open(const char *_Nonnull path);
void libinput_touch_close(struct libinput_touch *_Nonnull touch);

// Whether it has touches of the device, which is not unplugged.
bool libinput_touch_takes_touch(struct libinput_touch *_Nonnull touch);

// Is readable when there is something to dispatch; it belongs to libinput.
int libinput_touch_descriptor(struct libinput_touch *_Nonnull touch);

// Removes the device from libinput: a context without a udev seat is not notified.
void libinput_touch_unplug(struct libinput_touch *_Nonnull touch);

// Reads what the node has now and calls the handler for each touch event; answers how many events of any kind came.
int libinput_touch_dispatch(
    struct libinput_touch *_Nonnull touch, touch_handler _Nonnull handler, void *_Nullable data);

// The same under another name, which callgrind does not count.
int libinput_touch_warm_up(
    struct libinput_touch *_Nonnull touch, touch_handler _Nonnull handler, void *_Nullable data);

// How many bytes a terminal holds for its reader, or an error number below zero; umockdev would answer for the kernel.
int unread_bytes(int descriptor);
