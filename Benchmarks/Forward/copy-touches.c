// Copies a touchscreen's events to a virtual touchscreen, unchanged: the floor for a program that forwards touches.
// copy-touches NODE grabs the panel and creates "NAME (copied)".
#include <errno.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void check(int result, const char *what) {
    if (result >= 0) return;
    perror(what);
    exit(1);
}

static int has(const unsigned char *bits, int code) { return bits[code / 8] >> code % 8 & 1; }

/// Creates a device with the keys, axes and properties of another.
static int create(int panel) {
    unsigned char bits[KEY_MAX / 8 + 1];
    int uinput = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
    check(uinput, "/dev/uinput");
    struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL}};
    check(ioctl(panel, EVIOCGNAME(sizeof setup.name - 10), setup.name), "EVIOCGNAME");
    strcat(setup.name, " (copied)");
    check(ioctl(uinput, UI_SET_EVBIT, EV_KEY), "UI_SET_EVBIT");
    check(ioctl(uinput, UI_SET_EVBIT, EV_ABS), "UI_SET_EVBIT");
    memset(bits, 0, sizeof bits);
    check(ioctl(panel, EVIOCGBIT(EV_KEY, sizeof bits), bits), "EVIOCGBIT");
    for (int code = 0; code <= KEY_MAX; code++)
        if (has(bits, code)) check(ioctl(uinput, UI_SET_KEYBIT, code), "UI_SET_KEYBIT");
    memset(bits, 0, sizeof bits);
    check(ioctl(panel, EVIOCGPROP(sizeof bits), bits), "EVIOCGPROP");
    for (int code = 0; code <= INPUT_PROP_MAX; code++)
        if (has(bits, code)) check(ioctl(uinput, UI_SET_PROPBIT, code), "UI_SET_PROPBIT");
    memset(bits, 0, sizeof bits);
    check(ioctl(panel, EVIOCGBIT(EV_ABS, sizeof bits), bits), "EVIOCGBIT");
    for (int code = 0; code <= ABS_MAX; code++) {
        if (!has(bits, code)) continue;
        struct uinput_abs_setup axis = {.code = code};
        check(ioctl(panel, EVIOCGABS(code), &axis.absinfo), "EVIOCGABS");
        check(ioctl(uinput, UI_ABS_SETUP, &axis), "UI_ABS_SETUP");
    }
    check(ioctl(uinput, UI_DEV_SETUP, &setup), "UI_DEV_SETUP");
    check(ioctl(uinput, UI_DEV_CREATE), "UI_DEV_CREATE");
    return uinput;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: copy-touches NODE\n");
        return 64;
    }
    int from = open(arguments[1], O_RDONLY | O_CLOEXEC);
    check(from, arguments[1]);
    int to = create(from);
    check(ioctl(from, EVIOCGRAB, 1), "EVIOCGRAB");
    struct input_event events[64];
    ssize_t size;
    while ((size = read(from, events, sizeof events)) > 0) check(write(to, events, size), "write");
    return size < 0 && errno != ENODEV;
}
