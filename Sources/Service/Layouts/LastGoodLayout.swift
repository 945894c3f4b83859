import ControlProtocol
import EventLoop
import Foundation
import Layout
import Synchronization

/// The files of the last layout without errors, in the service's state directory, so that touchd can start with it when
/// the layout's files have an error.
///
/// Writing blocks on the disk, so it is done on another thread, in the order of the calls.
final class LastGoodLayout {
    private nonisolated struct Content: JSONMessage {
        var saved = 0.0, layout = LayoutSnapshot()

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("saved", .seconds, "the time, since 2001", \.saved)
            visitor.member("layout", "the files", \.layout)
        }
    }

    private let path: String
    private let remote: EpollRunLoop.Remote
    /// Serializes the writes; the number of the newest request, so that an older one does not overwrite it.
    private nonisolated let newest = Mutex(0)
    private let writes = DispatchGroup()
    private var requests = 0

    /// - Parameter directory: systemd's `StateDirectory=`.
    init(directory: String, loop: EpollRunLoop) {
        (path, remote) = ("\(directory)/last-good-layout.json", loop.remote)
    }

    /// The stored layout and the time when it was stored; nil without a readable file.
    func load() -> (layout: LayoutSnapshot, saved: Date)? {
        guard let data = try? Data(contentsOf: URL(filePath: path)),
            let content = try? JSONTree(data).decode(Content.self), !content.layout.files.isEmpty
        else { return nil }
        return (content.layout, Date(timeIntervalSinceReferenceDate: content.saved))
    }

    /// Stores a layout, or with nil removes the stored one.
    ///
    /// - Parameter failed: Called on the main thread with the error, if it cannot be stored.
    func store(_ layout: LayoutSnapshot?, failed: @escaping @MainActor @Sendable (SystemError) -> Void) {
        requests += 1
        writes.enter()
        do {
            try DetachedThread.run { [self, path, writes, remote, number = requests] in
                defer { writes.leave() }
                let failure = newest.withLock { newest in
                    guard number > newest else { return nil as SystemError? }
                    newest = number
                    return Self.write(layout, to: path)
                }
                guard let failure else { return }
                remote.performOnMain { failed(failure) }
            }
        } catch {
            writes.leave()
            failed(error)
        }
    }

    /// Waits for the writes that were started, for two seconds at most: a disk may not respond.
    func finish() { _ = writes.wait(timeout: .now() + 2) }

    private nonisolated static func write(_ layout: LayoutSnapshot?, to path: String) -> SystemError? {
        guard let layout else {
            return unlink(path) == 0 || errno == ENOENT ? nil : SystemError(call: "unlink(\(path))", errno: errno)
        }
        return replace(path, with: Content(saved: Date().timeIntervalSinceReferenceDate, layout: layout).jsonLine)
    }

    /// Replaces the file in one step: readers see the old or the new content, even after a power failure.
    private nonisolated static func replace(_ path: String, with data: [UInt8]) -> SystemError? {
        // Not a random name: a file left by a power failure is removed.
        let part = "\(path).part"
        unlink(part)
        // Private: an included file may be readable by the service only.
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return SystemError(call: "open(\(part))", errno: errno) }
        var rest = data[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { break }
            rest.removeFirst(written)
        }
        var failure = rest.isEmpty ? nil : SystemError(call: "write(\(part))", errno: errno)
        // Without fsync, a file system may store the rename before the text, which leaves an empty file after a power
        // failure.
        if failure == nil, fsync(descriptor) != 0 { failure = SystemError(call: "fsync(\(part))", errno: errno) }
        close(descriptor)
        if failure == nil, rename(part, path) != 0 { failure = SystemError(call: "rename(\(part))", errno: errno) }
        if failure != nil { unlink(part) }
        return failure
    }
}
