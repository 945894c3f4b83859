import Foundation

/// The record of a touch event, for both writers and readers.
package struct TouchRecord: Decodable, Sendable, Equatable {
    /// Seconds on the kernel's monotonic clock, or since a recording's first event.
    package let time: TimeInterval
    /// The device's name.
    package let device: String
    /// The touch's number, counted from 1 since touchd started.
    package let touch: Int
    /// `began`, `moved`, `ended` or `cancelled`.
    package let phase: String
    /// Its screen; nil if there is only one.
    package let screen: String?
    /// Its location in points of its window; nil in a private view.
    package let x, y: Double?
    /// The nearest named view; nil without one.
    package let view: String?
    /// Whether the program that draws received it: `yes`, `delayed`, `cancelled`, or `no: ` and the reason; nil if its
    /// device's touches are not forwarded.
    package let forwarded: String?
    /// The handlers that ran for it, in order.
    package let handlers: [String]

    /// Creates a record.
    package init(
        time: TimeInterval, device: String, touch: Int, phase: String, screen: String?, x: Double?, y: Double?,
        view: String?, forwarded: String?, handlers: [String]
    ) {
        (self.time, self.device, self.touch, self.phase, self.screen) = (time, device, touch, phase, screen)
        (self.x, self.y, self.view, self.forwarded, self.handlers) = (x, y, view, forwarded, handlers)
    }

    /// The touch as a readable line.
    package var summary: String {
        let time = String(format: "%10.3f s", time)
        let place = x.flatMap { x in y.map { y in String(format: " at (%.1f, %.1f)", x, y) } } ?? ""
        let phase = phase.padding(toLength: 9, withPad: " ", startingAt: 0)
        let ran = handlers.isEmpty ? "" : "  → \(handlers.joined(separator: ", "))"
        let forwarded = forwarded.map { "; forwarded: \($0)" } ?? ""
        return "\(time)  touch \(touch) \(phase) on \(view ?? "no view")\(place), \(device)\(forwarded)\(ran)"
    }
}

extension TouchRecord {
    /// The record as a JSON object with the keys in reading order, which `JSONEncoder` does not keep.
    ///
    /// - Parameter event: The value of a key `event` before all others; nil for none.
    package func json(event: String? = nil) -> String {
        let first = event.map { "\"event\": \"\($0)\", " } ?? ""
        let view = view.map(JSONText.quoted) ?? "null"
        let place = x.flatMap { x in
            y.map { y in "\"x\": \(JSONText.hundredths(x)), \"y\": \(JSONText.hundredths(y)), " }
        }
        let screen = screen.map { "\"screen\": \(JSONText.quoted($0)), " } ?? ""
        let forwarded = forwarded.map { "\"forwarded\": \(JSONText.quoted($0)), " } ?? ""
        let names = handlers.map(JSONText.quoted).joined(separator: ", ")
        let time = String(format: "%.6f", time)
        return """
            {\(first)"time": \(time), "device": \(JSONText.quoted(device)), "touch": \(touch), \
            "phase": "\(phase)", \(screen)\(place ?? "")"view": \(view), \
            \(forwarded)"handlers": [\(names)]}
            """
    }
}
