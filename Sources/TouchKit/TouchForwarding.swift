/// The state of a touch in the program that draws the screen.
package nonisolated enum TouchForwarding: Sendable, Equatable {
    /// Its device's touches are not forwarded.
    case none
    /// The program receives it.
    case through
    /// The program receives it after a gesture has failed.
    case delayed
    /// The program received it and then its cancellation.
    case cancelled
    /// The program receives nothing of it.
    case kept(Reason)

    /// Why a touch is not forwarded.
    package enum Reason: String, Sendable, CaseIterable {
        /// Its view has `forward: false`.
        case view
        /// A gesture recognized it.
        case gesture
        /// It ended an idle time with `forward: false`, or began during it.
        case idle
        /// It began within the cooldown after another one.
        case cooldown
        /// The panel was not grabbed when it began, so the program received it from the panel itself.
        case notGrabbed = "not-grabbed"
        /// It was cancelled before its gestures had decided.
        case cancelled
        /// All slots of the forwarded touchscreen were in use.
        case slots
    }

    /// The state for logs and clients: `yes`, `delayed`, `cancelled`, or `no: ` and the reason; nil if nothing of the
    /// device is forwarded.
    package var summary: String? {
        switch self {
        case .none: nil
        case .through: "yes"
        case .delayed: "delayed"
        case .cancelled: "cancelled"
        case .kept(let reason): "no: \(reason.rawValue)"
        }
    }
}
