import Basics
import CLibudev
import EventLoop
import Glibc

/// Watches the event nodes in /dev/input with inotify; the fallback without udevd.
final class DeviceDirectory {
    static let path = "/dev/input"
    private let path: String
    private let watch: FileWatchSource
    private var delays = RetryDelays()
    private var timer: RunLoopTimer?

    /// Watches the folder of the directory, which may be created later.
    /// - Parameter handler: Called on the loop's thread with a node that was created, changed its permissions or was
    ///   removed.
    init(
        path: String = DeviceDirectory.path, loop: EpollRunLoop,
        handler: @escaping (_ path: String, _ isPresent: Bool) -> Void
    ) throws(DeviceError) {
        self.path = path
        let parts = path.split(separator: "/")
        let folder = "/" + parts.dropLast().joined(separator: "/")
        // The source calls its handler only from the loop, so the closure can be set after the source is created.
        var list: () -> Void = {}
        do {
            watch = try FileWatchSource { change in
                if change.path == path, let name = change.name, name.hasPrefix("event") {
                    handler("\(path)/\(name)", !change.events.contains(.deleted))
                } else if change.path == folder && change.name == parts.last.map(String.init)
                    || change.events.contains(.overflowed)
                {
                    list()
                }
            }
            try watch.watch(folder, for: [.created, .attributes])
            try loop.add(watch)
        } catch {
            throw .udevUnavailable(reason: "udevd is not running, and inotify failed: \(error)")
        }
        list = { [unowned self] in
            for node in watchNodes() { handler(node, true) }
        }
        let timer = RunLoopTimer(name: "device directory", tolerance: .milliseconds(100)) { _ in list() }
        self.timer = timer
        loop.add(timer)
    }

    deinit {
        timer?.invalidate()
        watch.invalidate()
    }

    /// Watches the directory, and returns its nodes.
    ///
    /// If that fails, the handler is called for each node later: as soon as the directory is created or may be read, and
    /// after other errors in 1, 2, 4 … s and then once a minute.
    func watchNodes() -> [String] {
        var nodes: [String] = []
        var failure: SystemError?
        do throws(SystemError) {
            try watch.watch(path, for: [.created, .attributes, .deleted])
        } catch { failure = error }
        do throws(SystemError) { nodes = try Self.nodes(in: path) } catch { failure = error }
        if let failure, !Self.isAnnounced(failure) {
            timer?.reschedule(after: delays.next())
        } else {
            delays.restart()
        }
        return nodes
    }

    /// Whether the watch on the folder reports that the error has passed.
    private static func isAnnounced(_ error: SystemError) -> Bool { [ENOENT, EACCES].contains(error.errno) }

    /// The present nodes, in order of their numbers; none if the directory does not exist or may not be read.
    static func nodes(in path: String = path) throws(SystemError) -> [String] {
        guard let directory = DirectoryReader(opendir(path)) else {
            let error = SystemError(call: "opendir", errno: errno)
            if isAnnounced(error) { return [] }
            throw error
        }
        var numbers: [Int] = []
        while let name = directory.next() {
            if name.hasPrefix("event"), let number = Int(name.dropFirst(5)) { numbers.append(number) }
        }
        if directory.error != 0 { throw SystemError(call: "readdir", errno: directory.error) }
        return numbers.sorted().map { "\(path)/event\($0)" }
    }
}
