import CLinux
import EventLoop
import Foundation
import Synchronization

/// The two descriptors of a forwarded panel that another thread needs to release it, and who may write to them now.
///
/// The main thread never waits: it claims the forwarded touchscreen for one write by an atomic exchange, and loses its
/// changes if the other thread has taken it.
nonisolated final class GuardedPanel: Sendable {
    /// The holder of the panel's grab, which may write to its forwarded touchscreen.
    private enum Owner: UInt8, AtomicRepresentable {
        /// Nobody: the panel is not grabbed.
        case nobody
        case main
        /// The main thread, which is writing.
        case mainWriting
        /// The other thread, which ends the contacts and releases the grab.
        case releasing
        /// Nobody, after the other thread has released the grab.
        case released
    }

    /// The panel's name, for the log.
    let name: String
    // Duplicates, so that a number is not reused for another file while the other thread has it.
    private let panel: Int32
    private let uinput: Int32
    private let owner = Atomic(Owner.nobody)
    private let usedSlots = Atomic<UInt32>(0)
    private let lifts = Atomic(false)

    /// - Throws: If no descriptor is left.
    init(name: String, panel: Int32, uinput: Int32) throws(SystemError) {
        self.name = name
        self.panel = fcntl(panel, F_DUPFD_CLOEXEC, 0)
        self.uinput = fcntl(uinput, F_DUPFD_CLOEXEC, 0)
        guard self.panel >= 0, self.uinput >= 0 else { throw SystemError(call: "fcntl", errno: errno) }
    }

    deinit {
        if panel >= 0 { close(panel) }
        if uinput >= 0 { close(uinput) }
    }

    // MARK: The main thread

    /// Whether contacts are lifted, and not cancelled.
    var liftsCancelled: Bool {
        get { lifts.load(ordering: .relaxed) }
        set { lifts.store(newValue, ordering: .relaxed) }
    }

    /// Whether the other thread has released the grab.
    var isReleased: Bool { owner.load(ordering: .acquiring) == .released }

    /// Gives the panel to the main thread, which has just grabbed it.
    func didGrab() {
        usedSlots.store(0, ordering: .relaxed)
        owner.store(.main, ordering: .releasing)
    }

    /// Writes events if the main thread has the panel, and records which slots are in use afterwards.
    func write(_ events: UnsafeBufferPointer<input_event>, usedSlots: UInt32) -> Bool {
        guard owner.compareExchange(expected: .main, desired: .mainWriting, ordering: .acquiring).exchanged
        else { return false }
        let size = events.count * MemoryLayout<input_event>.stride
        let count = Foundation.write(uinput, events.baseAddress, size)
        self.usedSlots.store(usedSlots, ordering: .relaxed)
        owner.store(.main, ordering: .releasing)
        return count == size
    }

    // MARK: The other thread

    /// Cancels the forwarded contacts and releases the grab, if the main thread has the panel and is not writing.
    func release() -> Bool {
        guard owner.compareExchange(expected: .main, desired: .releasing, ordering: .acquiring).exchanged
        else { return false }
        endContacts(usedSlots.load(ordering: .relaxed))
        _ = grab_input(panel, 0)
        owner.store(.released, ordering: .releasing)
        return true
    }

    private func endContacts(_ slots: UInt32) {
        guard slots != 0 else { return }
        let used = (0..<Int32(32)).filter { slots & 1 << UInt32($0) != 0 }
        if !liftsCancelled {
            for slot in used {
                put(EV_ABS, ABS_MT_SLOT, slot)
                put(EV_ABS, ABS_MT_TOOL_TYPE, Int32(MT_TOOL_PALM))
            }
            put(EV_SYN, SYN_REPORT, 0)
        }
        for slot in used {
            put(EV_ABS, ABS_MT_SLOT, slot)
            put(EV_ABS, ABS_MT_TRACKING_ID, -1)
            put(EV_ABS, ABS_MT_TOOL_TYPE, Int32(MT_TOOL_FINGER))
        }
        put(EV_KEY, BTN_TOUCH, 0)
        put(EV_SYN, SYN_REPORT, 0)
    }

    private func put(_ type: Int32, _ code: Int32, _ value: Int32) {
        var event = input_event()
        event.type = UInt16(type)
        event.code = UInt16(code)
        event.value = value
        _ = Foundation.write(uinput, &event, MemoryLayout<input_event>.stride)
    }
}
