import Glibc

/// Tells when a program other than this one has a device node open.
///
/// An event that nobody has the node open for reaches nobody, so whoever plays to a program that finds devices by
/// itself waits for this first.
struct NodeOpening {
    let node: String

    /// Returns once some other process has the node open; at once if one has already.
    func wait() throws(PlayError) {
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        guard watch >= 0, inotify_add_watch(watch, node, UInt32(IN_OPEN)) >= 0 else {
            throw .system(what: "cannot watch \(node)", reason: String(cString: strerror(errno)))
        }
        defer { close(watch) }
        // Watched first and looked at then, so an opening in between is not missed.
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
