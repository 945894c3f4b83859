import CPeers

/// A loop in the race, and what it does for each row; a missing function is a row it has nothing for.
struct Contender {
    var name: String
    /// Watches descriptors, of which some are ready in each round, for a number of callbacks; returns nanoseconds.
    var ring: ((_ count: Int32, _ ready: Int32, _ edge: Bool, _ rounds: UInt64) -> UInt64)?
    /// Arms timers without delay and fires them, in `rounds` rounds.
    var fire: ((_ count: Int32, _ rounds: UInt64) -> UInt64)?
    /// Arms timers and cancels them in another order, in `rounds` rounds.
    var cancel: ((_ count: Int32, _ rounds: UInt64) -> UInt64)?
    /// Runs blocks from the loop's thread, in `rounds` rounds.
    var blocks: ((_ count: Int32, _ rounds: UInt64) -> UInt64)?
    /// Is woken by another thread, and notes each time to the callback.
    var wakeups: ((UnsafeMutablePointer<UInt64>, Int) -> Void)?
    /// Runs a chain of blocks of the main dispatch queue.
    var mainQueue: ((_ rounds: UInt64) -> UInt64)?

    init(name: String) { self.name = name }

    /// One of the loops written in C.
    init(_ peer: peer, edge: Bool) {
        name = String(cString: peer.name)
        ring = { count, ready, isEdge, rounds in peer.ring(count, ready, isEdge, rounds) }
        if !edge {
            ring = { count, ready, isEdge, rounds in isEdge ? 0 : peer.ring(count, ready, false, rounds) }
        }
        fire = { peer.fire($0, $1) }
        cancel = { peer.cancel($0, $1) }
        blocks = { peer.blocks($0, $1) }
        wakeups = { peer.wakeups($0, $1) }
    }
}
