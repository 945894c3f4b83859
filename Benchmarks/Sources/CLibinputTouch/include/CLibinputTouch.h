// libinput, reduced to what a kiosk asks of it: the touches of one device, without a udev seat.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum touch_phase { TOUCH_DOWN, TOUCH_MOTION, TOUCH_UP, TOUCH_CANCEL };

// Positions are in millionths of the surface's width and height; an end has none.
typedef void (*touch_handler)(void *_Nullable data, enum touch_phase phase, int32_t slot, double x, double y);

struct libinput;

// Opens an event node; NULL if libinput does not take it.
struct libinput *_Nullable libinput_touch_open(const char *_Nonnull path);

// Is readable when there is something to dispatch; it belongs to libinput.
int libinput_touch_descriptor(struct libinput *_Nonnull context);

// Reads what the node has now and calls the handler for each touch event.
void libinput_touch_dispatch(
    struct libinput *_Nonnull context, touch_handler _Nonnull handler, void *_Nullable data);

// How many bytes a terminal holds for its reader, or an error number below zero; umockdev would answer for the kernel.
int unread_bytes(int descriptor);
