import Evdev
import Foundation

/// Statistics and the capacity of the queue.
extension Application {
    /// The number of queued device frames.
    public var queuedFrameCount: Int { queue.count }

    /// The time of the oldest queued frame, in seconds on the devices' clock; nil if the queue is empty.
    ///
    /// The queue's age is the current time on that clock minus this time.
    package var oldestQueuedTimestamp: TimeInterval? { queue.head?.timestamp.seconds }

    /// The number of queued frames above which moves of one touch are merged; 1,024 by default.
    ///
    /// Frames in which a touch begins, ends or is cancelled are never merged or dropped, so the queue may grow beyond
    /// this.
    var queueCapacity: Int {
        get { queue.capacity }
        set {
            precondition(newValue > 0, "the event queue needs room for one frame at least, not \(newValue)")
            queue.capacity = newValue
        }
    }

    /// The number of moves that were merged because the queue was full, since the application was created.
    package var coalescedMoveCount: Int { queue.coalescedMoveCount }
}
