// Kernel and libdispatch declarations that Swift's Glibc module leaves out.
#pragma once

#include <fcntl.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

// The two hooks libdispatch exports for a run loop that drains the main queue itself, as CFRunLoop does.
// The first answers an eventfd that becomes readable when the main queue has work; the second drains the queue
// and must be called on the main thread.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *_Nullable message);
