import ControlProtocol
import Foundation

/// A device that was there before and is missing at the end of the journal.
package struct LostDevice: JSONRecord, Equatable {
    /// The way a device was lost.
    package enum Loss: String, JSONWritable, Sendable {
        /// It was unplugged or disappeared from its bus.
        case unplugged
        /// It could not be opened or read.
        case failed
        /// It was used before the last restart of the kiosk or its service, and not since.
        case absent = "absent since a restart"
        /// The layout expects it, and it is missing.
        case missing
        /// It is connected but has been silent for longer than the layout allows.
        case silent
    }

    package var device: String, loss: Loss, since: Date

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("device", "the kernel's name for it", \.device)
        visitor.member("loss", "the way it was lost") { $0.loss }
        visitor.member("since", "the date of its last entry in the journal") { $0.since }
    }
}
