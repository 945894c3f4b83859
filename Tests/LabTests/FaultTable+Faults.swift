extension FaultTable {
    /// The faults and their required results; `Tests/Lab/faults` causes them, by these names.
    static let faults = [
        Fault(
            name: "replugged", title: "a screen is unplugged and plugged in again with four fingers down, ten times",
            expected: "answers"),
        Fault(
            name: "swapped", title: "two screens of one kind change places, fingers on both",
            expected: "each has the other's node; answers"),
        Fault(
            name: "dropped", title: "touchd stands still until the kernel drops events (SYN_DROPPED), five times",
            expected: "events were lost; answers"),
        Fault(
            name: "flooding", title: "a screen reports 20,000 moves as fast as the kernel takes them",
            expected: "the other screen answers meanwhile; answers"),
        Fault(
            name: "lying", title: "screens without a width or with 2^31 units; slots, ids, places up to ±2^31",
            expected:
                "its ABS_MT_POSITION_X has an empty range (0 to 0), so positions are unknown; answers"),
        Fault(
            name: "missed", title: "an expected screen is silent, then gone; its rule moves a line meanwhile",
            expected: "logged the rule's line [0, 1]; did still, here, gone; answers"),
        Fault(
            name: "terminated", title: "SIGTERM with four fingers down, and a start", expected: "answers"),
        Fault(
            name: "killed", title: "SIGKILL with four fingers down, three times",
            expected: "answers", restarts: 3, cut: 12),
        Fault(
            name: "reloaded", title: "a hundred reloads, under touches", expected: "100 loaded; answers"),
        Fault(
            name: "crowd", title: "a thousand subscribers that never read",
            expected: "64 stay connected, the others are refused; events are dropped; answers"),
        Fault(
            name: "hanging", title: "a handler's program does not end",
            expected: "/bin/sleep was stopped after its timeout of 1.0 s; answers"),
        Fault(
            name: "stubborn", title: "a handler's program ignores SIGTERM",
            expected: "/usr/lib/faults/stubborn was stopped after its timeout of 1.0 s; answers"),
        Fault(
            name: "babbling", title: "a handler's program writes without end",
            expected: "/usr/bin/yes was stopped after its timeout of 2.0 s; answers"),
        Fault(
            name: "greedy", title: "a handler's program takes all memory that the service may have",
            expected: "/usr/bin/tail was killed by signal 9; answers"),
        Fault(
            name: "bomb", title: "a handler's program multiplies, and is over itself",
            expected: "touches are delivered meanwhile; answers"),
        Fault(
            name: "without_udevd",
            title: "udevd is stopped, touchd started without it, a screen plugged in; udevd is back",
            expected: "says that it may not open a screen that comes; uses it once it may; answers", restarts: 1),
        Fault(
            name: "without_journald",
            title: "journald is stopped with its sockets, touchd started without it, and it is back",
            expected: "entries wait for it; answers"),
        Fault(
            name: "without_dbus", title: "the D-Bus daemon is stopped, touchd started without it, and it is back",
            expected: "answers"),
        Fault(
            name: "no_descriptors", title: "touchd has all descriptors it may have, and a screen is plugged in",
            expected: "says that it cannot open the screen; uses it once it can; answers"),
        Fault(
            name: "no_tasks", title: "the service has all tasks it may have when the metrics are to be written",
            expected: "says so, and when it writes again; answers"),
        Fault(
            name: "full_disk", title: "the disk of the metrics is full, and has room again",
            expected: "says so, and when it writes again; answers"),
        Fault(
            name: "other_day", title: "the clock is set a day forward and back, with four fingers down",
            expected: "answers"),
        Fault(
            name: "suspended", title: "the machine sleeps with a finger down (touchd without systemd around it)",
            expected: "resumed 1 time; answers"),
    ]
}
