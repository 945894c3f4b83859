import ControlProtocol
import Foundation

/// A layout with a private view, and touches on it and beside it, for tests of the last minutes that touchd keeps.
enum KeptTouches {
    static let layout = """
        screen: {size: [1000, 1000]}
        views:
          - {id: wall, frame: [0, 0, 1000, 1000], multiple-touch: true}
          - id: pad
            frame: [500, 500, 500, 500]
            private: true
            views: [{id: seven, frame: [0, 0, 100, 100]}]

        """

    /// Touches on the wall, on the pad, on the wall while one is on the pad, from the wall into the pad, on the wall. The
    /// last event is an hour later.
    static let events: String = {
        var recording = MadeUpRecording()
        var time = 0
        func report(_ events: [(Int, Int)]) {
            recording.report(at: time, events)
            time += 10_000
        }
        let (slot, id, x, y) = MadeUpRecording.codes
        report([(id, 10), (x, 101), (y, 102)])
        report([(x, 111)])
        report([(id, -1)])
        for key in 0..<4 {
            report([(id, 11 + key), (x, 601 + key), (y, 701 + key)])
            report([(x, 611 + key)])
            if key == 2 { report([(slot, 1), (id, 30), (x, 201), (y, 202), (slot, 0), (x, 613)]) }
            if key == 2 { report([(slot, 1), (x, 211), (slot, 0)]) }
            report([(id, -1)])
        }
        report([(slot, 1), (id, -1), (slot, 0)])
        report([(id, 40), (x, 301), (y, 302)])
        report([(x, 801), (y, 802)])
        report([(x, 303), (y, 304)])
        report([(id, -1)])
        report([(id, 41), (y, 404)])
        report([(id, -1)])
        recording.report(at: 3_600_000_000, [])
        return recording.text
    }()

    /// Waits until all events are delivered; five touches are on the pad or enter it, and three are not.
    static func waitForEnd(of touchd: RunningTouchd) throws {
        touchd.ready()
        let connection = try ControlConnection(path: touchd.control, timeout: .seconds(600))
        while try connection.status().touches.ended < 8 {}
    }
}

/// A recording of a panel of 1000 by 1000 units and ten slots, in evemu's format.
struct MadeUpRecording {
    /// The slot, the tracking id and the position (linux/input-event-codes.h).
    static let codes = (slot: 0x2f, id: 0x39, x: 0x35, y: 0x36)

    private(set) var text = """
        # EVEMU 1.3
        N: made up
        I: 0003 1234 5678 0001
        P: 02 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        A: 2f 0 9 0 0 0
        A: 35 0 999 0 0 0
        A: 36 0 999 0 0 0
        A: 39 0 65535 0 0 0

        """

    /// Adds a report with the values of axes.
    mutating func report(at microseconds: Int, _ events: [(Int, Int)]) {
        let time = "\(microseconds / 1_000_000).\(String(format: "%06d", microseconds % 1_000_000))"
        for (code, value) in events { text += "E: \(time) 0003 \(String(format: "%04x", code)) \(value)\n" }
        text += "E: \(time) 0000 0000 0\n"
    }
}
