import Foundation
import Layout
import TouchKit

/// What a log line or a journal entry says of a touch.
///
/// Of a touch in a private view it says only that: no place, and of its views only the outermost private one.
public struct TouchFacts {
    /// Which touch: counted from 1 in the order in which touches began.
    public var touch: Int
    /// What it did.
    public var phase: Touch.Phase
    /// The nearest named view at or above the one it was given to when it began, or nil where no view is named.
    public var view: String?
    /// The page that the view is on, or that its screen shows; nil where there are no pages.
    public var page: String?
    /// The screen that the view is on; nil where there is only one.
    public var screen: String?
    /// Where it is, in points of its window; nil in a private view.
    public var location: CGPoint?
    /// The device's name, as the kernel has it.
    public var device: String
    /// When it happened: seconds on the kernel's monotonic clock, or since a recording's first event.
    public var time: TimeInterval

    /// Collects the facts of a touch as it is now; `deviceName` names its device, `page` its page, and
    /// `screen` its screen where there are several.
    public init(
        _ touch: Touch, phase: Touch.Phase? = nil, deviceName: String, page: String? = nil, screen: String? = nil
    ) {
        self.touch = touch.id
        self.phase = phase ?? touch.phase
        view = touch.view?.toldName
        self.page = page
        self.screen = screen
        location = touch.view?.outermostPrivate == nil ? touch.location(in: nil) : nil
        device = deviceName
        time = touch.timestamp
    }

    /// The time with the microseconds that the kernel gives, never in powers of ten.
    public var timestamp: String { FactValue.moment(time).text }
}

extension Touch.Phase {
    /// The word logs, layouts and commands use for a phase.
    public var word: String {
        switch self {
        case .began: "began"
        case .moved: "moved"
        case .stationary: "stationary"
        case .ended: "ended"
        case .cancelled: "cancelled"
        }
    }
}
