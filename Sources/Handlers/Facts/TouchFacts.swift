import Foundation
import Layout
import TouchKit

/// The facts of a touch for a log line or a journal entry.
///
/// For a touch in a private view they contain no position, and name only the outermost private view.
package struct TouchFacts {
    /// The number of the touch, counted from 1 in the order in which touches began.
    package var touch: Int
    /// The phase of the touch.
    package var phase: Touch.Phase
    /// The name of the view that received the touch when it began, or of its nearest named superview; nil without one.
    package var view: String?
    /// The page that contains the view, or that its screen shows; nil if there are no pages.
    package var page: String?
    /// The screen that contains the view; nil if there is only one screen.
    package var screen: String?
    /// The position in points of its window; nil in a private view.
    package var location: CGPoint?
    /// The device's name, as the kernel reports it.
    package var device: String
    /// The time in seconds, on the kernel's monotonic clock or since a recording's first event.
    package var time: TimeInterval

    /// Whether the program that draws received the touch: `yes`, `delayed`, `cancelled`, or `no: ` and the reason; nil if
    /// its device's touches are not forwarded.
    package var forwarded: String?

    /// Collects the current facts of a touch.
    ///
    /// `deviceName` returns the name of its device, `page` its page, and `screen` its screen if there are several.
    package init(
        _ touch: Touch, phase: Touch.Phase? = nil, deviceName: String, page: String? = nil, screen: String? = nil
    ) {
        self.touch = touch.id
        self.phase = phase ?? touch.phase
        view = touch.view?.reportedName
        self.page = page
        self.screen = screen
        location = touch.view?.outermostPrivate == nil ? touch.location(in: nil) : nil
        device = deviceName
        time = touch.timestamp
        forwarded = touch.forwarding.summary
    }

    /// The time, written with the kernel's microseconds and without an exponent.
    package var timestamp: String { FactValue.moment(time).text }
}

extension Touch.Phase {
    /// The name of the phase in logs, layouts and commands.
    package var name: String {
        switch self {
        case .began: "began"
        case .moved: "moved"
        case .stationary: "stationary"
        case .ended: "ended"
        case .cancelled: "cancelled"
        }
    }
}
