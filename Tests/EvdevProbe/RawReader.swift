import CLinux
import Glibc
import MockedInput

/// Another reader of a node, which counts how often the kernel dropped events because it read too late.
final class RawReader {
    private(set) var dropped = 0
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0 { throw TestBed.Failure(message: "\(path): \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// Reads all waiting events.
    func read() {
        var events = [input_event](repeating: input_event(), count: 64)
        while true {
            let count = Glibc.read(descriptor, &events, events.count * MemoryLayout<input_event>.stride)
            guard count > 0 else { return }
            dropped += events.prefix(count / MemoryLayout<input_event>.stride)
                .count { $0.type == UInt16(EV_SYN) && $0.code == UInt16(SYN_DROPPED) }
        }
    }
}
