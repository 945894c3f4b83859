import ControlProtocol
import DequeModule
import EventLoop
import Layout

/// The publications that are not in their slots yet.
struct PublicationQueue {
    /// A list of views on its way into a slot.
    struct Publication {
        var slot: String
        var publisher: String
        var views: JSONTree
        var client: ControlSession
        /// Answers the client; nil for views that a new layout gets again.
        var answer: ((Result<[UInt8], ControlError>) -> Void)?
    }

    /// In the order in which they came; the first is being read or built.
    var waiting: Deque<Publication> = []
    /// The first one's views, once they are read.
    var build: SlotBuild?
    /// Counts what was given to the worker; the result of an earlier reading is ignored.
    var reading = 0
    /// Builds and frees views, one slice in each pass.
    var slices: SignalledSource?

    /// Begins a slice; returns whether it has time left. Touches wait for at most one slice of 0.25 ms.
    var beginSlice: () -> () -> Bool = {
        let end = Deadline.after(.microseconds(250))
        return { !end.isPast }
    }
}
