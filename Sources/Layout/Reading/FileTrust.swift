import Foundation

/// Who could change a file that decides what touchd does, or put another one in its place.
///
/// The rule is that of sshd's StrictModes (sshd_config(5)): a file, and each folder on the way to it, as the path is written
/// and as links resolve it, belongs to root or to the user of this process, and nobody else may write to it. A group may if
/// it is root's or the one that this process has itself, that of a user alone on most systems. A folder with the sticky bit,
/// such as /tmp, may be anybody's to write to, since only a file's owner can replace it there (inode(7)).
package nonisolated struct FileTrust {
    /// What is wrong with a file or a folder.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        /// It belongs to somebody who is not trusted.
        case foreign(path: String, owner: uid_t)
        /// Others may write to it.
        case writable(path: String)

        /// What is wrong, and what to do.
        package var description: String {
            switch self {
            case .foreign(let path, let owner):
                "'\(path)' is owned by \(Self.name(of: owner)) but must be owned by root; run: chown root '\(path)'"
            case .writable(let path):
                "'\(path)' is writable by group or others; run: chmod go-w '\(path)'"
            }
        }

        private static func name(of user: uid_t) -> String {
            // What a service with PrivateUsers= sees of every user but root and its own (user_namespaces(7)).
            if user == 65_534 { return "a user that is hidden here" }
            return FileTrust.entry { getpwuid_r(user, $0, $1, $2, $3) }.map { "'\($0.name)'" } ?? "user \(user)"
        }
    }

    /// The user of a name; nil if there is none.
    package static func user(named name: String) -> uid_t? {
        entry { getpwnam_r(name, $0, $1, $2, $3) }?.user
    }

    /// An entry of the users' table, read without what getpwnam(3) shares between threads.
    private static func entry(
        _ read: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> Int32
    ) -> (name: String, user: uid_t)? {
        var text = [CChar](repeating: 0, count: 16_384)
        var entry = passwd()
        var result: UnsafeMutablePointer<passwd>?
        guard read(&entry, &text, text.count, &result) == 0, let result else { return nil }
        return (String(cString: result.pointee.pw_name), result.pointee.pw_uid)
    }

    private let users: Set<uid_t>
    private let groups: Set<gid_t>

    /// Trusts root, the user of this process, who runs it by sudo(8), and another user if one is given.
    package init(
        _ other: uid_t? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        var users: Set<uid_t> = [0, geteuid()]
        // They may do anything as root already; git trusts them for the same reason (git-config(1), safe.directory).
        if geteuid() == 0, let user = environment["SUDO_UID"].flatMap({ uid_t($0) }) {
            users.insert(user)
        }
        if let other { users.insert(other) }
        self.users = users
        groups = [0, getegid()]
    }

    /// What is wrong with the way to a file, the file itself left out; nil if nothing is.
    ///
    /// - Parameters:
    ///   - path: As it is written; relative to the working directory.
    ///   - descriptor: The file, if it is open, whose place no other can take then.
    package func problem(onTheWayTo path: String, descriptor: Int32? = nil) -> Problem? {
        let written = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        let name = descriptor.map { "/proc/self/fd/\($0)" } ?? written
        let resolved = realpath(name, nil).map { pointer in
            defer { free(pointer) }
            return String(cString: pointer)
        }
        var status = stat()
        for folder in Self.folders(above: written) + Self.folders(above: resolved ?? written) {
            guard stat(folder, &status) == 0 else { continue }
            if let problem = problem(of: status, at: folder) { return problem }
        }
        // Who owns a link decides where it leads, and in a folder like /tmp anybody may make one.
        for link in [written] + Self.folders(above: written) {
            guard lstat(link, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { continue }
            if !users.contains(status.st_uid) { return .foreign(path: link, owner: status.st_uid) }
        }
        return nil
    }

    /// What is wrong with the place of a file that does not exist: others may create it, or the way to it is not to be
    /// trusted; nil if nothing is.
    package func problem(ofMissing path: String) -> Problem? {
        if let problem = problem(onTheWayTo: path) { return problem }
        // The sticky bit keeps others from replacing a file, and not from creating one.
        var status = stat()
        guard let folder = Self.folders(above: path).first(where: { stat($0, &status) == 0 }) else { return nil }
        return isWritable(status) ? .writable(path: folder) : nil
    }

    /// What is wrong with a file or folder itself, as stat(2) tells of it; nil if nothing is.
    package func problem(of status: stat, at path: String) -> Problem? {
        if !users.contains(status.st_uid) { return .foreign(path: path, owner: status.st_uid) }
        let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
        return isWritable(status) && !isSticky ? .writable(path: path) : nil
    }

    private func isWritable(_ status: stat) -> Bool {
        status.st_mode & S_IWOTH != 0 || status.st_mode & S_IWGRP != 0 && !groups.contains(status.st_gid)
    }

    private static func folders(above path: String) -> [String] {
        var folders: [String] = []
        var folder = (path as NSString).deletingLastPathComponent
        while !folder.isEmpty {
            folders.append(folder)
            if folder == "/" { break }
            folder = (folder as NSString).deletingLastPathComponent
        }
        return folders
    }
}
