import Foundation
import Layout
import TouchKit

/// The facts of a touch for a log line or a journal entry.
///
/// For a touch in a private view they contain no position, and name only the outermost private view.
public struct TouchFacts {
    /// The number of the touch, counted from 1 in the order in which touches began.
    public var touch: Int
    /// The phase of the touch.
    public var phase: Touch.Phase
    /// The name of the view that received the touch when it began, or of its nearest named superview; nil without one.
    public var view: String?
    /// The page that contains the view, or that its screen shows; nil if there are no pages.
    public var page: String?
    /// The screen that contains the view; nil if there is only one screen.
    public var screen: String?
    /// The position in points of its window; nil in a private view.
    public var location: CGPoint?
    /// The device's name, as the kernel reports it.
    public var device: String
    /// The time in seconds, on the kernel's monotonic clock or since a recording's first event.
    public var time: TimeInterval

    /// Whether the program that draws received the touch: `yes`, `delayed`, `cancelled`, or `no: ` and the reason; nil if
    /// its device's touches are not forwarded.
    public var forwarded: String?

    /// Collects the current facts of a touch.
    ///
    /// `deviceName` returns the name of its device, `page` its page, and `screen` its screen if there are several.
    public init(
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
    public var timestamp: String { FactValue.moment(time).text }
}

extension Touch.Phase {
    /// The name of the phase in logs, layouts and commands.
    public var name: String {
        switch self {
        case .began: "began"
        case .moved: "moved"
        case .stationary: "stationary"
        case .ended: "ended"
        case .cancelled: "cancelled"
        }
    }
}
