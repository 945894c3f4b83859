// Kernel and libdispatch declarations that Swift's Glibc module omits.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <linux/input.h>
#include <linux/memfd.h>
#include <linux/uinput.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

// The two functions that libdispatch exports for a run loop that drains the main queue itself, as CFRunLoop does. The
// first returns an eventfd that becomes readable when the main queue has work. The second drains the queue and must be
// called on the main thread.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *_Nullable message);

// glibc declares these only with _GNU_SOURCE: pipe(2) and dup(2) with flags such as O_CLOEXEC; closing inherited
// descriptors in a child; the caller's thread ID; the description and the name of an error number, NULL for an unknown
// number.
int pipe2(int descriptors[_Nonnull 2], int flags);
int dup3(int old, int new_, int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *_Nonnull actions, int from);
pid_t gettid(void);
const char *_Nullable strerrordesc_np(int number);
const char *_Nullable strerrorname_np(int number);

// Also only with _GNU_SOURCE: accept(2) with SOCK_NONBLOCK and SOCK_CLOEXEC, memfd_create(2) with its flags and seals,
// and the struct of SO_PEERCRED (unix(7)).
int accept4(int descriptor, struct sockaddr *_Nullable address, socklen_t *_Nullable length, int flags);
int memfd_create(const char *_Nonnull name, unsigned int flags);
enum { memfd_cloexec = 1, memfd_allow_sealing = 2, memfd_add_seals = 1033, memfd_all_seals = 15 };
struct peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

// O_PATH of open(2), which glibc defines only with _GNU_SOURCE.
enum { path_only = 010000000 };

// In Swift, reading the array `d_name` copies all of its 256 bytes, also those after a shorter entry.

/// The name of an entry of readdir(3), in the entry.
static inline const char *_Nonnull directory_entry_name(const struct dirent *_Nonnull entry) { return entry->d_name; }

// Swift can neither call variadic functions nor use the macros of cmsg(3) and of ioctl(2) requests.

/// Grabs the input device of an open event node (EVIOCGRAB), or releases its grab.
static inline int grab_input(int descriptor, int grabs) { return ioctl(descriptor, EVIOCGRAB, (void *)(intptr_t)grabs); }

/// Sets the port of a uinput device (UI_SET_PHYS), before the device is created.
static inline int set_uinput_port(int descriptor, const char *_Nonnull port) {
    return ioctl(descriptor, UI_SET_PHYS, port);
}

/// Whether the kernel keeps slots for the device of an open event node. A driver may announce slots without them.
int input_has_slots(int descriptor);

/// Whether a contact is down on the device of an open event node, in the kernel's present state: a slot with a tracking
/// ID, or BTN_TOUCH.
int input_has_contact(int descriptor);

/// fork(2), for a process with one thread.
static inline pid_t fork_process(void) { return fork(); }

/// prctl(2) with PR_SET_DUMPABLE. With 0, only processes with CAP_SYS_PTRACE can access this process's memory.
static inline int set_dumpable(int value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }

/// Flushes standard output, whose `FILE` Swift 6 does not touch; false if a write has failed, now or before.
static inline bool flush_standard_output(void) { return fflush(stdout) == 0 && !ferror(stdout); }

/// Whether a signal is ignored, whose constant Swift cannot compare.
static inline bool is_signal_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Limits the memory that this process can still allocate (RLIMIT_DATA), and the stack of each new thread, which counts.
/// Returns 0, or -1 with errno.
int limit_memory(size_t more, size_t stack);

/// sendmsg(2) of one packet, with a descriptor (SCM_RIGHTS, unix(7)) unless it is negative. Never blocks.
ssize_t send_packet(int socket, const void *_Nonnull bytes, size_t count, int descriptor);

/// The maximum number of descriptors that one message passes (SCM_MAX_FD, unix(7)).
enum { passed_limit = 253 };

/// Has the kernel refuse descriptors that the peer of a unix socket passes, where it can. Connections have the setting of
/// the listening socket.
void refuse_descriptors(int socket);

/// recv(2) with MSG_PEEK, and whether descriptors come with the bytes. They stay in the kernel. Never blocks.
ssize_t peek_bytes(int socket, void *_Nullable bytes, size_t count, int *_Nonnull passes);

/// recv(2) from a unix stream socket. Bytes with which a descriptor is passed stay in the kernel: EBADMSG. Never blocks.
ssize_t receive_bytes(int socket, void *_Nonnull bytes, size_t count);

/// recvmsg(2) of one packet, and of the descriptors passed with it if there is room for `passed_limit` of them; without
/// room, only after `peek_bytes` has found none. A packet longer than `count` has the length 0. Never blocks.
ssize_t receive_packet(
    int socket, void *_Nonnull bytes, size_t count, int *_Nullable passed, int *_Nonnull passed_count);
