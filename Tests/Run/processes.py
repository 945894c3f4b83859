"""Ends everything that a program started, including processes that its children left running."""
import ctypes, os, signal

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
libc = ctypes.CDLL(None)


def end_with_parent(number):
    """The kernel sends this process a signal when the process that started it ends."""
    libc.prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)


def adopt_orphans():
    """A descendant whose parent ends becomes a child of this process, so that `kill_children` finds it."""
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children():
    """The numbers of this process's children, from /proc/PID/stat: the parent's is the second field after the name."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", errors="replace") as file:
                if int(file.read().rpartition(")")[2].split()[1]) == os.getpid():
                    yield int(name)
        except OSError:
            pass  # It ended meanwhile.


def kill_children():
    """Kills all children. The children of each then become this process's, until there are no more."""
    while found := list(children()):
        for child in found:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def ignore_signals():
    """From here on only its death interrupts this process."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def on_signal(handler):
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    for number in numbers:
        signal.signal(number, handler)
    # A thread that blocks signals, as Dispatch's do, hands that down to the programs that it starts.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
