import Foundation

/// Lines on their way to standard output, written in one piece when the run loop is about to sleep.
final class StandardOutput {
    /// Written before the loop sleeps once so much has gathered, as under a replay without pauses.
    private static let capacity = 64 * 1024

    private var bytes: [UInt8] = []
    private let onClosed: () -> Void

    /// - Parameter onClosed: Called when nobody reads standard output any more.
    init(onClosed: @escaping () -> Void) {
        self.onClosed = onClosed
        bytes.reserveCapacity(Self.capacity + 1024)
    }

    func append(line: String) {
        bytes.append(contentsOf: line.utf8)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.capacity { flush() }
    }

    func flush() {
        guard !bytes.isEmpty else { return }
        var start = 0
        while start < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                Foundation.write(STDOUT_FILENO, buffer.baseAddress?.advanced(by: start), buffer.count - start)
            }
            if written > 0 {
                start += written
            } else if errno != EINTR {
                onClosed()
                break
            }
        }
        bytes.removeAll(keepingCapacity: true)
    }
}
