import Evdev
import Foundation

/// Statistics of the queue.
extension Application {
    /// The number of queued device frames.
    public var queuedFrameCount: Int { queue.count }

    /// The time of the oldest queued frame, in seconds on the devices' clock; nil if the queue is empty.
    ///
    /// The queue's age is the current time on that clock minus this time.
    package var oldestQueuedTimestamp: TimeInterval? { queue.head?.timestamp.seconds }

    /// The number of moves that were merged because the queue was full, since the application was created.
    package var foldedMoveCount: Int { queue.foldedMoveCount }
}
