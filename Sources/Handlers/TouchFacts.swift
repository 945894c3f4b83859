import Foundation
import TouchKit

/// What a log line, a journal entry or a command's environment says of a touch.
public struct TouchFacts {
    /// Which touch: counted from 1 in the order in which touches began.
    public var touch: Int
    /// What it did.
    public var phase: Touch.Phase
    /// The nearest named view at or above the one it was given to when it began, or nil where no view is named.
    public var view: String?
    /// Where it is, in points of its window.
    public var location: CGPoint
    /// The device's name, as the kernel has it.
    public var device: String
    /// When it happened: seconds on the kernel's monotonic clock, or since a recording's first event.
    public var time: TimeInterval

    /// Collects the facts of a touch as it is now; `deviceName` names its device.
    public init(_ touch: Touch, phase: Touch.Phase? = nil, deviceName: String) {
        self.touch = touch.id
        self.phase = phase ?? touch.phase
        view = Self.name(of: touch.view)
        location = touch.location(in: nil)
        device = deviceName
        time = touch.timestamp
    }

    /// The time with the microseconds that the kernel gives, never in powers of ten.
    public var timestamp: String { String(format: "%.6f", time) }

    private static func name(of view: View?) -> String? {
        var view = view
        while let candidate = view {
            if let identifier = candidate.identifier { return identifier }
            view = candidate.superview
        }
        return nil
    }
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
