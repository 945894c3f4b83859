import EventLoop
import Glibc

/// The event nodes in /dev/input, followed by inotify: what there is to go by where no udevd runs.
final class DeviceDirectory {
    static let path = "/dev/input"
    private let watch: FileWatchSource

    /// Follows the directory, which may be made later than this.
    /// - Parameter handler: called on the loop's thread with a node that came, may be opened now or is gone.
    init(loop: EpollRunLoop, handler: @escaping (_ path: String, _ isPresent: Bool) -> Void) throws(DeviceError) {
        // The source calls the handler only from the loop, so it can be told of itself after it is made.
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
        } catch {
            throw .udevUnavailable(reason: "no udevd runs, and inotify says: \(error)")
        }
        watchDirectory = { [unowned watch] in
            // Fails while there is no such directory; the watch on /dev tells when there is.
            try? watch.watch(Self.path, for: [.created, .attributes, .deleted])
        }
        watchDirectory()
        loop.add(watch)
    }

    deinit { watch.invalidate() }

    /// The nodes there are, in the order of their numbers.
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
