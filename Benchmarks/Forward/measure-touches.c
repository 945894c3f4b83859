// Moves a finger on a virtual panel, and prints how long after the panel's event a reader's call returned with it.
//
//     measure-touches FRAMES HERTZ SUFFIX
//
// Creates "bench panel", prints its node, waits for the device "bench panel" + SUFFIX, and reads that; the suffix is empty for
// the panel itself. Each frame has another x, so that a frame is known again, however it was copied. Prints a row of a table.
#include <dirent.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { GREATEST = 60000, WARM_UP = 100 };
static long long sent[GREATEST + 1], returned[GREATEST + 1];
static int uinput;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void put(struct input_event *event, int type, int code, int value) {
    *event = (struct input_event){.type = type, .code = code, .value = value};
}

/// Writes a frame at once; a driver's frame reaches the kernel's readers in the same way, with its SYN_REPORT.
static void frame(int x, int id) {
    struct input_event events[7];
    int count = 0;
    if (id >= -1) put(&events[count++], EV_ABS, ABS_MT_TRACKING_ID, id);
    if (id >= -1) put(&events[count++], EV_KEY, BTN_TOUCH, id >= 0);
    if (x >= 0) put(&events[count++], EV_ABS, ABS_MT_POSITION_X, x);
    if (x >= 0) put(&events[count++], EV_ABS, ABS_MT_POSITION_Y, 32768);
    if (x >= 0) put(&events[count++], EV_ABS, ABS_X, x);
    put(&events[count++], EV_SYN, SYN_REPORT, 0);
    if (x >= 0) sent[x] = now();
    if (write(uinput, events, count * sizeof *events) < 0) fail("write");
}

static void axis(int code, int maximum) {
    struct uinput_abs_setup axis = {.code = code, .absinfo = {.maximum = maximum}};
    if (ioctl(uinput, UI_ABS_SETUP, &axis) < 0) fail("UI_ABS_SETUP");
}

static void create(void) {
    uinput = open("/dev/uinput", O_WRONLY);
    if (uinput < 0) fail("/dev/uinput");
    struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL}, .name = "bench panel"};
    ioctl(uinput, UI_SET_EVBIT, EV_KEY);
    ioctl(uinput, UI_SET_EVBIT, EV_ABS);
    ioctl(uinput, UI_SET_KEYBIT, BTN_TOUCH);
    ioctl(uinput, UI_SET_PROPBIT, INPUT_PROP_DIRECT);
    axis(ABS_X, 65535);
    axis(ABS_Y, 65535);
    axis(ABS_MT_POSITION_X, 65535);
    axis(ABS_MT_POSITION_Y, 65535);
    axis(ABS_MT_SLOT, 9);
    axis(ABS_MT_TRACKING_ID, 65535);
    if (ioctl(uinput, UI_DEV_SETUP, &setup) < 0 || ioctl(uinput, UI_DEV_CREATE) < 0) fail("UI_DEV_CREATE");
}

/// Opens the device with a name as soon as there is one.
static int open_named(const char *name, char *path) {
    for (int attempt = 0; attempt < 6000; attempt++, usleep(10000)) {
        DIR *folder = opendir("/dev/input");
        for (struct dirent *entry; folder && (entry = readdir(folder));) {
            char other[256] = "";
            if (strncmp(entry->d_name, "event", 5)) continue;
            snprintf(path, 300, "/dev/input/%s", entry->d_name);
            int device = open(path, O_RDONLY);
            if (device < 0) continue;
            ioctl(device, EVIOCGNAME(sizeof other), other);
            if (!strcmp(name, other)) {
                closedir(folder);
                return device;
            }
            close(device);
        }
        if (folder) closedir(folder);
    }
    fprintf(stderr, "there is no device '%s'\n", name);
    exit(1);
}

static void *read_frames(void *argument) {
    struct input_event events[64];
    ssize_t size;
    while ((size = read(*(int *)argument, events, sizeof events)) > 0) {
        long long time = now();
        for (size_t index = 0; index < size / sizeof *events; index++)
            if (events[index].type == EV_ABS && events[index].code == ABS_MT_POSITION_X && !returned[events[index].value])
                returned[events[index].value] = time;
    }
    return NULL;
}

static int ascending(const void *one, const void *other) {
    long long difference = *(const long long *)one - *(const long long *)other;
    return difference < 0 ? -1 : difference > 0;
}

int main(int count, char **arguments) {
    if (count != 4) return 64;
    int frames = atoi(arguments[1]), hertz = atoi(arguments[2]);
    char path[300], name[300];
    if (frames < 1 || frames + WARM_UP > GREATEST || hertz < 1) return 64;
    create();
    int panel = open_named("bench panel", path);
    printf("%s\n", path);
    fflush(stdout);
    snprintf(name, sizeof name, "bench panel%s", arguments[3]);
    int device = *arguments[3] ? open_named(name, path) : panel;
    // A copier that has created its device grabs the panel a moment later.
    if (*arguments[3]) {
        close(panel);
        sleep(2);
    }
    pthread_t reader;
    pthread_create(&reader, NULL, read_frames, &device);
    frame(1, 1);
    long long next = now();
    for (int x = 2; x <= frames + WARM_UP; x++) {
        next += 1000000000LL / hertz;
        struct timespec time = {next / 1000000000LL, next % 1000000000LL};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
        frame(x, -2);
    }
    sleep(1);
    frame(-1, -1);
    static long long delays[GREATEST];
    int arrived = 0;
    for (int x = WARM_UP + 1; x <= frames + WARM_UP; x++)
        if (returned[x]) delays[arrived++] = returned[x] - sent[x];
    qsort(delays, arrived, sizeof *delays, ascending);
    if (!arrived) return 1;
    double unit = 1e6;
    printf("%d of %d | %.2f ms | %.2f ms | %.2f ms |\n", arrived, frames, delays[arrived / 2] / unit,
           delays[arrived * 99LL / 100] / unit, delays[arrived * 999LL / 1000] / unit);
    return 0;
}
