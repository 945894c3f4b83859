import CLinux
import CUmockdev
import Evdev
import Glibc
import Synchronization

/// Answers for the kernel's evdev (drivers/input/evdev.c) on an event node of umockdev: each program that opens the node has its own
/// queue, its own clock, and can grab the device.
///
/// umockdev asks for every ioctl and read of a program, on its own thread. The node itself is a pseudo-terminal, which
/// only makes poll(2) return: it has bytes as long as a program has not read its queue. Two differences from the kernel
/// remain: `poll` also returns for programs that have read theirs, and a blocking `read` returns `EAGAIN`.
package final class MockEvdev: Sendable {
    private struct Reader {
        var events: [input_event] = []
        /// Nil until the program chooses one (`EVIOCSCLOCKID`).
        var clock: clockid_t?
        var isRevoked = false
    }

    private struct State {
        var input: InputState
        /// The events since the last `SYN_REPORT`.
        var packet: [InputState.Change] = []
        var readers: [UInt: Reader] = [:]
        var grabber: UInt?
        var isUnplugged = false
        /// The time of the last recorded event. What follows has this time, because it is on the recording's clock.
        var recorded: InputTimestamp?
        /// Both ends of the pseudo-terminal, and the bytes in it.
        var terminal: (control: Int32, node: Int32) = (-1, -1)
        var bytes = 0
    }

    private let state: Mutex<State>
    /// An eventfd(2) that counts what programs do: choosing a clock, and closing the node.
    private let changes: Int32
    /// The number of events that a program's queue holds.
    private let capacity: Int
    private let hasClocks: Bool
    /// `TIOCGPTPEER` (ioctl_tty(2)), a macro that Swift cannot import.
    private static let openPeer: UInt = 0x5441

    /// - Parameter hasClocks: Whether a program can choose the clock of its events, as since Linux 3.4.
    init(_ description: DeviceDescription, hasSlots: Bool = true, hasClocks: Bool = true) {
        self.hasClocks = hasClocks
        state = Mutex(State(input: InputState(description, hasSlots: hasSlots)))
        changes = eventfd(0, Int32(EFD_CLOEXEC))
        capacity = Self.capacity(description)
    }

    deinit { Glibc.close(changes) }

    /// Connects the answers with the node's pseudo-terminal, of which the test bed owns the controlling end.
    func connect(to control: Int32) throws {
        let node = ioctl(control, Self.openPeer, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        if node < 0 { throw TestBed.Failure.last("the node's pty cannot be opened") }
        state.withLock { $0.terminal = (control, node) }
    }

    /// Gives the node an owner and permissions, as udev's rules do.
    func permit(group: gid_t, mode: mode_t) throws {
        let node = state.withLock { $0.terminal.node }
        guard fchown(node, 0, group) == 0, fchmod(node, mode) == 0 else {
            throw TestBed.Failure.last("the node's permissions cannot be set")
        }
    }

    /// Whether every program has read all events.
    package var isRead: Bool { unreadCount == 0 }

    /// The number of openings of the node that have not read all events.
    package var unreadCount: Int { state.withLock { $0.readers.values.count { !$0.events.isEmpty } } }

    /// Returns once a program has the node open and has chosen its clock, as libevdev's users do after they have asked for the
    /// device's state: later events are neither part of that state nor dropped.
    package func waitUntilOpen() {
        while !state.withLock({ $0.readers.values.contains { $0.clock != nil } }) {
            var count: UInt64 = 0
            _ = Glibc.read(changes, &count, MemoryLayout.size(ofValue: count))
        }
    }

    /// Returns once no program has the node open, or after a time: a suspended program does not close it.
    package func waitUntilClosed(milliseconds: Int32) {
        var change = pollfd(fd: changes, events: Int16(POLLIN), revents: 0)
        while !state.withLock({ $0.readers.isEmpty }), poll(&change, 1, milliseconds) > 0 {
            var count: UInt64 = 0
            _ = Glibc.read(changes, &count, MemoryLayout.size(ofValue: count))
        }
    }

    /// Applies the kernel's filter to an event of a driver. Programs get it with the next `SYN_REPORT`, at whose time.
    package func send(type: UInt16, code: UInt16, value: Int32) {
        state.withLock { state in
            let changes = state.input.apply(.init(type: type, code: code, value: value))
            state.packet += changes
            guard type == UInt16(EV_SYN), code == UInt16(SYN_REPORT) else { return }
            defer { state.packet = [] }
            // The kernel drops a report without changes.
            guard state.packet.count > 1 else { return }
            for key in state.readers.keys where state.grabber ?? key == key {
                let time = state.recorded ?? Self.now(on: state.readers[key]?.clock ?? CLOCK_REALTIME)
                enqueue(state.packet.map { input_event($0, at: time) }, for: key, &state)
            }
        }
    }

    /// Sets the time of the next events, on the clocks of all programs.
    package func turn(to time: InputTimestamp) { state.withLock { $0.recorded = time } }

    /// Passes events on as they were recorded: their own times, unfiltered.
    package func replay(_ events: [InputEvent]) {
        state.withLock { state in
            state.recorded = events.last?.time ?? state.recorded
            let changes = events.map { InputState.Change(type: $0.type, code: $0.code, value: $0.value) }
            for change in changes { _ = state.input.apply(change) }
            let events = zip(changes, events).map { input_event($0, at: $1.time) }
            for key in state.readers.keys { enqueue(events, for: key, &state) }
        }
    }

    /// Releases the pressed keys, as the kernel does before a device is gone; reads fail with `ENODEV` after the events.
    func unplug() {
        for key in state.withLock({ $0.input.keys }).sorted() { send(type: UInt16(EV_KEY), code: key, value: 0) }
        // The value that the kernel sends then, by which a reader knows that no driver did.
        send(type: UInt16(EV_SYN), code: UInt16(SYN_REPORT), value: 1)
        state.withLock { state in
            state.isUnplugged = true
            Self.wake(&state)
        }
    }

    private static func now(on clock: clockid_t) -> InputTimestamp {
        var now = timespec()
        clock_gettime(clock, &now)
        return InputTimestamp(microseconds: Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000)
    }

    private func enqueue(_ events: [input_event], for key: UInt, _ state: inout State) {
        var queue = state.readers[key]?.events ?? []
        queue += events
        if queue.count > capacity, let last = queue.last {
            // The program reads too slowly: the kernel drops all events but the newest.
            queue = [Self.dropped(last), last]
        }
        state.readers[key]?.events = queue
        Self.wake(&state)
    }

    /// `SYN_DROPPED` at the time of an event.
    private static func dropped(_ event: input_event) -> input_event {
        var dropped = event
        (dropped.type, dropped.code, dropped.value) = (UInt16(EV_SYN), UInt16(SYN_DROPPED), 0)
        return dropped
    }

    /// Makes poll(2) return, also where it reports only new bytes (`EPOLLET`).
    private static func wake(_ state: inout State) {
        // A pseudo-terminal holds 4095 bytes. Full, it would block this write.
        guard state.bytes < 1024 else { return }
        var byte: UInt8 = 0
        if write(state.terminal.control, &byte, 1) == 1 { state.bytes += 1 }
    }

    /// Makes poll(2) wait again if nothing is left to read.
    private static func settle(_ state: inout State) {
        guard !state.isUnplugged, state.bytes > 0, state.readers.values.allSatisfy(\.events.isEmpty) else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        while Glibc.read(state.terminal.node, &bytes, bytes.count) > 0 {}
        state.bytes = 0
    }

    func open(by key: UInt) { state.withLock { $0.readers[key] = Reader() } }

    func close(by key: UInt) {
        state.withLock { state in
            state.readers[key] = nil
            if state.grabber == key { state.grabber = nil }
            Self.settle(&state)
        }
        countChange()
    }

    /// The queued events that fit into a buffer of `size` bytes, or an error number.
    func read(by key: UInt, size: Int) -> Result<[UInt8], Errno> {
        state.withLock { state in
            guard let reader = state.readers[key], !reader.isRevoked else { return .failure(.noDevice) }
            let count = min(reader.events.count, size / MemoryLayout<input_event>.stride)
            if count == 0 { return .failure(state.isUnplugged ? .noDevice : .again) }
            state.readers[key]?.events.removeFirst(count)
            Self.settle(&state)
            return .success(Array(reader.events[..<count]).bytes)
        }
    }

    /// Answers an ioctl (linux/input.h).
    ///
    /// - Parameter argument: The argument itself. umockdev writes the answer's bytes to where it points.
    func answer(_ request: Request, _ argument: UInt, by key: UInt) -> Result<[UInt8], Errno> {
        state.withLock { state in
            let description = state.input.description
            switch request.number {
            case _ where state.isUnplugged || state.readers[key]?.isRevoked != false: return .failure(.noDevice)
            case 0x01: return .success([Int32(EV_VERSION)].bytes)
            case 0x02:
                return .success(
                    [description.bus, description.vendor, description.product, description.version].bytes)
            // The kernel's delay and period of repeated keys, in milliseconds.
            case 0x03 where !description[UInt16(EV_REP)].isEmpty: return .success([Int32(250), 33].bytes)
            case 0x06: return .success(Array(description.name.utf8) + [0])
            case 0x07: return Self.text(description.physicalPath)
            case 0x08: return Self.text(description.uniqueName)
            case 0x09: return .success(description.properties.codes.bits)
            case 0x0a: return Self.slots(of: state.input, argument: UInt16(truncatingIfNeeded: request.firstWord))
            case 0x18:
                Self.flush(UInt16(EV_KEY), of: key, &state)
                return .success(state.input.keys.bits)
            case 0x19: return .success(state.input.lights.bits)
            case 0x1a: return .success([UInt16]().bits)
            case 0x1b: return .success(state.input.switches.bits)
            case 0x20:
                return .success((UInt16(0)...UInt16(EV_MAX)).filter { !description[$0].isEmpty }.bits)
            case 0x21...0x3f:
                let type = UInt16(request.number - 0x20)
                return .success(description[type].codes.bits)
            case 0x40...0x7f:
                let code = UInt16(request.number - 0x40)
                guard let axis = description.axes[code] else { return .failure(.invalid) }
                return .success(
                    [
                        state.input.value(of: code), axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution,
                    ].bytes)
            case 0x90: return Self.grab(argument != 0, by: key, &state)
            case 0x91:
                state.readers[key]?.isRevoked = true
                if state.grabber == key { state.grabber = nil }
                return .success([])
            case 0xa0 where hasClocks:
                let clock = Int32(truncatingIfNeeded: request.firstWord)
                guard [CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME].contains(clock) else {
                    return .failure(.invalid)
                }
                setClock(clock, of: key, &state)
                return .success([])
            default: return .failure(.invalid)
            }
        }
    }

    /// An ioctl's request, by the fields of asm-generic/ioctl.h.
    struct Request {
        let number: UInt8
        /// The size of the memory at the argument.
        let size: Int
        /// Whether the argument points to memory; that of `EVIOCGRAB` and `EVIOCREVOKE` is a number.
        let hasMemory: Bool
        /// Whether the call returns the size of the answer, as for names and bit sets; the others return 0.
        let returnsSize: Bool
        /// The first word of that memory, an argument of `EVIOCGMTSLOTS` and `EVIOCSCLOCKID`.
        var firstWord: UInt32 = 0

        /// Nil if the request is not evdev's.
        init?(_ request: UInt) {
            guard (request >> 8) & 0xff == UInt(UInt8(ascii: "E")) else { return nil }
            number = UInt8(request & 0xff)
            size = Int(request >> 16 & 0x3fff)
            hasMemory = number != 0x90 && number != 0x91
            returnsSize = 0x06...0x09 ~= number || 0x18...0x3f ~= number
        }
    }

    private static func text(_ text: String) -> Result<[UInt8], Errno> {
        text.isEmpty ? .failure(.noEntry) : .success(Array(text.utf8) + [0])
    }

    private static func slots(of input: InputState, argument code: UInt16) -> Result<[UInt8], Errno> {
        let values = input.slotValues(of: code)
        guard !values.isEmpty, code > UInt16(ABS_MT_SLOT), code <= UInt16(ABS_MT_TOOL_Y) else {
            return .failure(.invalid)
        }
        return .success([Int32(code)].bytes + values.bytes)
    }

    private func setClock(_ clock: clockid_t, of key: UInt, _ state: inout State) {
        // The kernel drops events with times of another clock, and the program asks for the state again.
        if let last = state.readers[key]?.events.last, clock != state.readers[key]?.clock ?? CLOCK_REALTIME {
            state.readers[key]?.events = [Self.dropped(last)]
        }
        state.readers[key]?.clock = clock
        countChange()
    }

    private func countChange() {
        var one: UInt64 = 1
        _ = write(changes, &one, MemoryLayout.size(ofValue: one))
    }

    private static func grab(_ grabs: Bool, by key: UInt, _ state: inout State) -> Result<[UInt8], Errno> {
        if grabs {
            if state.grabber != nil { return .failure(.busy) }
            state.grabber = key
        } else {
            if state.grabber != key { return .failure(.invalid) }
            state.grabber = nil
        }
        return .success([])
    }

    /// Removes a program's queued events of a type whose state it asks for, as the kernel does (`__evdev_flush_queue`).
    private static func flush(_ type: UInt16, of key: UInt, _ state: inout State) {
        guard let queued = state.readers[key]?.events else { return }
        var kept: [input_event] = []
        for event in queued where event.type != type {
            let isReport = event.type == UInt16(EV_SYN) && event.code == UInt16(SYN_REPORT)
            if isReport, kept.last.map({ $0.type == UInt16(EV_SYN) && $0.code == UInt16(SYN_REPORT) }) ?? true {
                continue
            }
            kept.append(event)
        }
        state.readers[key]?.events = kept
        settle(&state)
    }

    /// The size of the kernel's queues: eight packets (`input_estimate_events_per_packet`), at least 64 events.
    private static func capacity(_ description: DeviceDescription) -> Int {
        let slots = description.axes[UInt16(ABS_MT_SLOT)].map { Int($0.maximum) + 1 } ?? 0
        let axes = description.axes.keys.reduce(0) { $0 + ($1 > UInt16(ABS_MT_SLOT) && slots > 0 ? slots : 1) }
        let packet = slots + 1 + axes + description[UInt16(EV_REL)].codes.count + 7
        var capacity = 64
        while capacity < packet * 8 { capacity *= 2 }
        return capacity
    }
}

/// An error number for a program.
enum Errno: Int32, Error {
    case noEntry = 2
    case again = 11
    case busy = 16
    case noDevice = 19
    case invalid = 22
}

extension input_event {
    fileprivate init(_ change: InputState.Change, at time: InputTimestamp) {
        self.init()
        self.time.tv_sec = Int(time.microseconds / 1_000_000)
        self.time.tv_usec = Int(time.microseconds % 1_000_000)
        (type, code, value) = (change.type, change.code, change.value)
    }
}

extension Array where Element: BitwiseCopyable {
    /// The bytes as they are in memory.
    fileprivate var bytes: [UInt8] { withUnsafeBytes { Array<UInt8>($0) } }
}

extension Collection<UInt16> {
    /// The kernel's bit set of these codes, as long as that of the keys; a program gets as much of it as it asks for.
    fileprivate var bits: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (Int(KEY_MAX) + 64) / 64 * 8)
        for code in self where Int32(code) <= KEY_MAX { bytes[Int(code) / 8] |= 1 << (code % 8) }
        return bytes
    }
}
