// Kernel and libdispatch declarations that Swift's Glibc module leaves out.
#pragma once

#include <fcntl.h>
#include <linux/input.h>
#include <linux/memfd.h>
#include <linux/uinput.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
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

// The two hooks libdispatch exports for a run loop that drains the main queue itself, as CFRunLoop does.
// The first answers an eventfd that becomes readable when the main queue has work; the second drains the queue
// and must be called on the main thread.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *_Nullable message);

// glibc declares these for _GNU_SOURCE only: pipe(2) and dup(2) with flags such as O_CLOEXEC, closing what a child
// would inherit, the kernel's number of the calling thread, and the constant words and name of an error number, or NULL
// for a number that does not exist.
int pipe2(int descriptors[_Nonnull 2], int flags);
int dup3(int old, int new_, int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *_Nonnull actions, int from);
pid_t gettid(void);
const char *_Nullable strerrordesc_np(int number);
const char *_Nullable strerrorname_np(int number);

// Of the same kind: accept(2) with SOCK_NONBLOCK and SOCK_CLOEXEC, memfd_create(2) with its flags and seals, and what
// SO_PEERCRED answers (unix(7)).
int accept4(int descriptor, struct sockaddr *_Nullable address, socklen_t *_Nullable length, int flags);
int memfd_create(const char *_Nonnull name, unsigned int flags);
enum { memfd_cloexec = 1, memfd_allow_sealing = 2, memfd_add_seals = 1033, memfd_all_seals = 15 };
struct peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

// open(2) for a path alone (O_PATH), which glibc has for _GNU_SOURCE only.
enum { path_only = 010000000 };

// Swift can neither call functions with a varying number of arguments nor use the macros of cmsg(3).

/// prctl(2) with PR_SET_DUMPABLE: with 0, no process without CAP_SYS_PTRACE reads or writes the memory of this one.
static inline int set_dumpable(int value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }

/// sendmsg(2) of one packet, with a descriptor (SCM_RIGHTS, unix(7)) unless it is negative; never waits.
ssize_t send_packet(int socket, const void *_Nonnull bytes, size_t count, int descriptor);

/// recvmsg(2) of one packet and the descriptor that came with it, or -1; never waits. A longer packet is lost: EMSGSIZE.
ssize_t receive_packet(int socket, void *_Nonnull bytes, size_t count, int *_Nonnull descriptor);
