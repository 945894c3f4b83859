import CLibudev
import EventLoop
import Glibc

/// Watches the event nodes in /dev/input with inotify; the fallback without udevd.
final class DeviceDirectory {
    static let path = "/dev/input"
    private let watch: FileWatchSource

    /// Watches the directory, which may be created later.
    /// - Parameter handler: Called on the loop's thread with a node that was created, changed its permissions or was
    ///   removed.
    init(loop: EpollRunLoop, handler: @escaping (_ path: String, _ isPresent: Bool) -> Void) throws(DeviceError) {
        // The source calls its handler only from the loop, so the closure can be set after the source is created.
        var watchDirectory: () -> Void = {}
        do {
            watch = try FileWatchSource { change in
                if change.path == Self.path, let name = change.name, name.hasPrefix("event") {
                    handler("\(Self.path)/\(name)", !change.events.contains(.deleted))
                } else if change.name == "input" || change.events.contains(.overflowed) {
                    watchDirectory()
                    for node in Self.nodes() { handler(node, true) }
                }
            }
            try watch.watch("/dev", for: .created)
            try loop.add(watch)
        } catch {
            throw .udevUnavailable(reason: "udevd is not running, and inotify failed: \(error)")
        }
        watchDirectory = { [unowned watch] in
            // Fails if the directory does not exist; the watch on /dev reports its creation.
            try? watch.watch(Self.path, for: [.created, .attributes, .deleted])
        }
        watchDirectory()
    }

    deinit { watch.invalidate() }

    /// The present nodes, in order of their numbers.
    static func nodes() -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var numbers: [Int] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("event"), let number = Int(name.dropFirst(5)) { numbers.append(number) }
        }
        return numbers.sorted().map { "\(path)/event\($0)" }
    }
}
