import EventLoop

/// libinput in a program: it leaves it to its caller to wait for its descriptor, which is done by the loop that touchd has.
final class LibinputOnLoop: Contender {
    var log: TouchLog { libinput.log }
    var isLogging: Bool {
        get { libinput.isLogging }
        set { libinput.isLogging = newValue }
    }
    private let libinput: Libinput
    fileprivate let loop: EpollRunLoop

    /// Nil if libinput does not take the device.
    init?(_ path: String) throws {
        guard let libinput = Libinput(path) else { return nil }
        loop = try EpollRunLoop()
        self.libinput = libinput
        loop.add(
            DescriptorSource(name: "libinput", descriptor: libinput.descriptor) { [unowned libinput] _ in
                libinput.dispatch(isCounted: true)
            })
    }

    func dispatch(isCounted: Bool) {
        if isCounted { libinputDispatch(self) } else { libinputWarmUp(self) }
    }
}

/// One pass of the loop, in a separate function that callgrind finds by name; it takes the reader, or the compiler
/// makes one function of this and touchd's.
@inline(never)
func libinputDispatch(_ reader: LibinputOnLoop) {
    _ = reader.loop.run(mode: .default, until: .now, returnAfterSourceHandled: true)
}

/// The same, which callgrind does not count.
@inline(never)
func libinputWarmUp(_ reader: LibinputOnLoop) {
    // As touchd's, another deadline.
    _ = reader.loop.run(mode: .default, until: Deadline(nanoseconds: 2), returnAfterSourceHandled: true)
}
