import EventLoop
import Foundation
import Layout

/// Reports that the paths of a layout do not have any more what was read there.
///
/// inotify(7) only says when to look, and may say so too often; `LayoutPaths.areCurrent` says whether something changed.
final class LayoutWatch {
    /// An editor's save consists of several changes within milliseconds.
    nonisolated static let pause = Duration.milliseconds(250)

    private let paths: LayoutPaths
    private let loop: EpollRunLoop
    private let reader: Worker
    private let pause: Duration
    private let changed: () -> Void
    private lazy var timer = RunLoopTimer(name: "touchd.layout-watch") { [unowned self] _ in look() }

    private var watch: FileWatchSource?
    /// The files and folders that are watched, without links.
    private var watched: Set<String> = []
    /// The names in the paths, and in the links on the way.
    private var names: Set<String> = []
    /// The included folders.
    private var folders: Set<String> = []

    /// Watches paths from the time when they were read: looks at them after the pause, and later after each change.
    ///
    /// - Parameters:
    ///   - reader: Reads the files.
    ///   - pause: The time from the last change until it looks.
    ///   - failed: Called if something cannot be watched.
    ///   - changed: Called on the main thread.
    init(
        _ paths: LayoutPaths, loop: EpollRunLoop, reader: Worker, pause: Duration, failed: (SystemError) -> Void,
        changed: @escaping () -> Void
    ) {
        (self.paths, self.loop, self.reader, self.pause, self.changed) = (paths, loop, reader, pause, changed)
        loop.add(timer)
        if let failure = arm() { failed(failure) }
        timer.reschedule(after: pause)
    }

    isolated deinit {
        watch?.invalidate()
        timer.invalidate()
    }

    private func look() {
        // The folders may be others now, and a change after this is reported.
        _ = arm()
        reader.perform({ [paths] in paths.areCurrent }) { [weak self] areCurrent in
            if !areCurrent { self?.changed() }
        }
    }

    /// Watches all paths again; returns the first error.
    private func arm() -> SystemError? {
        var failure: SystemError?
        do throws(SystemError) {
            let watch = try FileWatchSource { [unowned self] change in
                if concernsPaths(change) { timer.reschedule(after: pause) }
            }
            try loop.add(watch)
            self.watch?.invalidate()
            self.watch = watch
        } catch {
            return error
        }
        (watched, names, folders) = ([], [], [])
        for (path, role) in paths.asked {
            do throws(SystemError) {
                try follow(path, role)
            } catch {
                failure = failure ?? error
            }
        }
        return failure
    }

    private func concernsPaths(_ change: FileWatchSource.Change) -> Bool {
        // Without a name, it is what is watched itself, or changes were lost.
        guard let name = change.name else { return true }
        return names.contains(name)
            || folders.contains(change.path) && name.hasSuffix(".yaml") && !name.hasPrefix(".")
    }

    /// Watches each folder on the way to a path, and what is there. Each is watched before it is searched for the next, so
    /// that a change in between is reported.
    private func follow(_ path: String, _ role: LayoutPaths.Role) throws(SystemError) {
        let written = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        var rest: [Substring] = written.split(separator: "/").reversed()
        var place = "/", linkCount = 0
        guard try add(place, isFolderOfFile: rest.count == 1) else { return }
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                place = (place as NSString).deletingLastPathComponent
                continue
            }
            names.insert(String(name))
            let next = (place as NSString).appendingPathComponent(String(name))
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) {
                linkCount += 1
                // The kernel's limit (path_resolution(7)).
                guard linkCount <= 40 else { return }
                if target.hasPrefix("/") { place = "/" }
                rest += target.split(separator: "/").reversed()
            } else {
                place = next
                guard try add(place, isFolderOfFile: rest.count == 1) else { return }
            }
        }
        if role == .included { folders.insert(place) }
    }

    /// Watches a file or folder; returns false if it is missing: the folder above it is watched.
    private func add(_ place: String, isFolderOfFile: Bool) throws(SystemError) -> Bool {
        guard watched.insert(place).inserted else { return true }
        do throws(SystemError) {
            try watch?.watch(place, for: [.content, .attributes])
            return true
        } catch {
            switch error.errno {
            case ENOENT, ENOTDIR: return false
            // A folder that may be searched but not read is on the way of many paths.
            case EACCES where !isFolderOfFile: return true
            default: throw error
            }
        }
    }
}
