/// A place in the loop's table of descriptor sources; a token says which, and how often the place had been used by then.
///
/// epoll keeps a token for as long as a descriptor is open, which may be longer than the source exists; a token of an
/// earlier use finds nothing.
struct SourceSlot {
    var source: DescriptorSource?
    var uses: UInt32 = 0

    /// The handler to call for a token in a mode, without retaining the source.
    @inline(__always)
    func handler(token: UInt64, in mode: ModeSet) -> ((DescriptorSource.Events) -> Void)? {
        guard let source, source.token == token, !source.modes.isDisjoint(with: mode) else { return nil }
        return source.handler
    }
}
