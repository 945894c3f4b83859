/// A place in the loop's table of descriptor sources; a token says which, and how often the place had been used by then.
///
/// epoll keeps a token for as long as a descriptor is open, which may be longer than the source exists; a token of an
/// earlier use finds nothing. What a callback needs lies here together, so that with a thousand sources the processor
/// fetches one line of memory and not the source's own three.
struct SourceSlot {
    /// The source's handler.
    var handler: ((DescriptorSource.Events) -> Void)?
    /// The modes the source is in.
    var modes: ModeSet = []
    /// How often the place was used.
    var uses: UInt32 = 0
    /// The source, or nil if the place is free.
    var source: DescriptorSource?

    /// The handler to call for a token in a mode.
    @inline(__always)
    func handler(token: UInt64, in mode: ModeSet) -> ((DescriptorSource.Events) -> Void)? {
        uses == UInt32(truncatingIfNeeded: token >> 32) && !modes.isDisjoint(with: mode) ? handler : nil
    }

    /// Empties the place.
    mutating func clear() {
        source = nil
        handler = nil
        modes = []
    }
}
