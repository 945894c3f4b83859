import Glibc

/// An event of a touch, for both writers and readers.
package struct TouchRecord: EventRecord, JSONMessage, Equatable {
    package static let event: StaticString = "touch"

    /// What happened to the touch.
    package enum Phase: String, JSONValue, Sendable, CaseIterable {
        case began, moved, stationary, ended, cancelled

        /// Whether it is the last phase of a touch.
        package var isLast: Bool { self == .ended || self == .cancelled }
    }

    package var time = 0.0, device = "", touch = 0, phase = Phase.began, screen: String?, x, y: Double?
    package var pressure, width, height: Double?, coalesced: [[Double]]?
    package var view: String?, forwarded: String?, handlers: [String] = []
    /// The page that contains the view, or that its screen shows: for the journal, no member of the event.
    package var page: String?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member(
            "time", .seconds, "on the kernel's `CLOCK_MONOTONIC`, or since a recording's first event", \.time)
        visitor.member("device", "the device's name", \.device)
        visitor.member("touch", "the touch's number, counted from 1 since touchd started", \.touch)
        visitor.member("phase", "`began`, `moved`, `ended` or `cancelled`", \.phase)
        visitor.member("screen", "the screen's name, in a layout with several", \.screen)
        visitor.member("x", .points, "the position on the screen, absent in a private view", \.x.hundredths)
        visitor.member("y", .points, "see `x`", \.y.hundredths)
        visitor.member(
            "pressure",
            "from 0 to 1; absent, like `width` and `height`, in a private view and if the panel does not report it",
            \.pressure)
        visitor.member("width", .points, "the size of the contact on the screen", \.width.hundredths)
        visitor.member("height", .points, "see `width`", \.height.hundredths)
        visitor.member(
            "coalesced",
            """
            with `moved`: `[x, y, time]` of each move since the last event of the touch, the oldest first and this one \
            included; absent if it is the only one, and in a private view
            """,
            \.coalesced)
        visitor.member("view", "the nearest view with an id, or null", \.view.orNull)
        visitor.member(
            "forwarded", "for a panel with `forward: true`: `yes`, `delayed`, `cancelled`, or `no: ` and the reason",
            \.forwarded)
        visitor.member("handlers", "the handlers that ran for the event, in order", \.handlers)
    }

    package func write(to writer: inout JSONWriter) { writer.write(event: self) }

    /// Creates the record of a touch without a place.
    package init(time: Double, device: String, touch: Int, phase: Phase) {
        (self.time, self.device, self.touch, self.phase) = (time, device, touch, phase)
    }

    /// The touch as a readable line, without the time.
    package var words: String {
        let place = x.flatMap { x in y.map { y in " at (\(x.text(decimals: 1)), \(y.text(decimals: 1)))" } } ?? ""
        let phase = phase.rawValue + String(repeating: " ", count: max(9 - phase.rawValue.count, 0))
        let ran = handlers.isEmpty ? "" : "  → \(handlers.joined(separator: ", "))"
        let forwarded = forwarded.map { "; forwarded: \($0)" } ?? ""
        return "touch \(touch) \(phase) on \(view ?? "no view")\(place), \(device)\(forwarded)\(ran)"
    }
}

extension Double {
    /// A coordinate in points, rounded to the hundredth: finer than any panel, and short.
    package var hundredths: Double { (self * 100).rounded() / 100 }

    /// The time as the first column of a line for people.
    package var timeColumn: String {
        let seconds = text(decimals: 3)
        return String(repeating: " ", count: max(10 - seconds.count, 0)) + seconds + " s  "
    }

    /// The number with this many decimals.
    fileprivate func text(decimals: Int32) -> String {
        var text = [CChar](repeating: 0, count: 400)
        withVaList([decimals, self]) { _ = vsnprintf(&text, text.count, "%.*f", $0) }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Double? {
    /// A coordinate as it is written.
    package var hundredths: Double? {
        get { map(\.hundredths) }
        set { self = newValue }
    }
}
