import Evdev
import Foundation

/// What can be read of the queue while it waits.
extension Application {
    /// How many device frames wait in the queue.
    public var queuedFrameCount: Int { queue.count }

    /// The time of the frame that has waited longest, in seconds on the devices' clock; nil if the queue is empty.
    ///
    /// Less than the current time on that clock by the queue's age.
    package var oldestQueuedTimestamp: TimeInterval? { queue.head?.timestamp.seconds }

    /// How many frames may wait before moves of one touch are folded into the newest; 1024 at first.
    ///
    /// Frames in which a touch begins, ends or is cancelled are never folded or dropped, so more may wait than this.
    var queueCapacity: Int {
        get { queue.capacity }
        set {
            precondition(newValue > 0, "the event queue needs room for one frame at least, not \(newValue)")
            queue.capacity = newValue
        }
    }

    /// How many moves were folded into newer ones for want of room, since the application was made.
    package var foldedMoveCount: Int { queue.foldedMoveCount }
}
