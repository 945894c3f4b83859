import Glibc
import Player

/// Detects when another program has a device node open.
///
/// An event is lost if no program has the node open, so a player must wait for a program that finds devices itself.
struct NodeOpening {
    let node: String

    /// Returns once another process has the node open.
    func wait() throws(PlayError) {
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        guard watch >= 0, inotify_add_watch(watch, node, UInt32(IN_OPEN)) >= 0 else {
            throw .system(what: "cannot watch \(node)", reason: String(cString: strerror(errno)))
        }
        defer { close(watch) }
        // The watch starts before the check, so that an open in between is not missed.
        while !isOpenElsewhere() {
            var events = [UInt8](repeating: 0, count: 4096)
            guard read(watch, &events, events.count) > 0 else {
                throw .system(what: "cannot watch \(node)", reason: String(cString: strerror(errno)))
            }
        }
    }

    private func isOpenElsewhere() -> Bool {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("/proc/[0-9]*/fd/*", 0, nil, &found) == 0 else { return false }
        let own = "/proc/\(getpid())/"
        for index in 0..<Int(found.gl_pathc) {
            guard let path = found.gl_pathv[index] else { continue }
            var target = [CChar](repeating: 0, count: Int(PATH_MAX))
            let length = readlink(path, &target, target.count)
            guard length > 0, !String(cString: path).hasPrefix(own) else { continue }
            if String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self) == node { return true }
        }
        return false
    }
}
