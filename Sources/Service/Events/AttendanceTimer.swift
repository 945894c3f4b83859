import Evdev
import EventLoop

/// Tells when a device that the layout counts on is missing or silent, and when it is back.
///
/// There is one timer, armed for the next moment at which there may be news, and none of this where no rule asks for it.
final class AttendanceTimer {
    private var attendance: DeviceAttendance
    private let report: (DeviceAttendance.News) -> Void
    private var timer: RunLoopTimer?

    /// Nil if no rule asks for anything.
    ///
    /// - Parameters:
    ///   - previous: the timer by the rules before; what it told by a rule that says the same is not told again.
    ///   - report: called with what became of a device.
    init?(
        rules: [DeviceRule], after previous: AttendanceTimer?, loop: EpollRunLoop,
        report: @escaping (DeviceAttendance.News) -> Void
    ) {
        guard let attendance = DeviceAttendance(rules: rules, after: previous?.attendance) else { return nil }
        self.attendance = attendance
        self.report = report
        let timer = RunLoopTimer(name: "expected devices") { [unowned self] _ in
            tell(self.attendance.news(at: .now))
        }
        self.timer = timer
        loop.add(timer)
    }

    isolated deinit { timer?.invalidate() }

    /// Takes the devices there are now; to be called whenever they may be others.
    func update(_ devices: [DeviceInfo]) { tell(attendance.update(devices, at: .now)) }

    /// Takes note that a device said something.
    func heard(_ frame: borrowing InputFrame) {
        // The timer finds out by itself that its moment has moved, so that a frame costs no more than this.
        if let news = attendance.heard(frame.device, at: frame.timestamp) { tell([news]) }
    }

    private func tell(_ news: [DeviceAttendance.News]) {
        if let deadline = attendance.deadline {
            timer?.reschedule(at: Deadline(nanoseconds: deadline.nanoseconds))
        } else {
            timer?.cancel()
        }
        for one in news { report(one) }
    }
}

extension InputTimestamp {
    /// This moment on the clock of input events.
    static var now: InputTimestamp {
        InputTimestamp(microseconds: Deadline.now.nanoseconds / 1000)
    }

    /// Nanoseconds since the clock's start, or the greatest number where they cannot be counted.
    fileprivate var nanoseconds: Int64 {
        let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        return overflow ? .max : product
    }
}
