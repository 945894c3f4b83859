import Foundation

/// Checks whether other users could change or replace a file that controls touchd.
///
/// The rule is that of sshd's StrictModes (sshd_config(5)). A file, and each folder on its path, both as written and
/// with links resolved, must belong to root or to the user of this process, and no other user may write to it. A group
/// may write to it if it is root's group or the process's own group, which on most systems has a single member. A
/// folder with the sticky bit, such as /tmp, may be writable by all, because only a file's owner can replace the file
/// there (inode(7)).
package nonisolated struct FileTrust {
    /// The problem with a file or a folder.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        /// It belongs to a user who is not trusted.
        case foreign(path: String, owner: uid_t)
        /// Other users may write to it.
        case writable(path: String)

        /// The problem, and how to fix it.
        package var description: String {
            switch self {
            case .foreign(let path, let owner):
                "'\(path)' is owned by \(Self.name(of: owner)) but must be owned by root; run: chown root '\(path)'"
            case .writable(let path):
                "'\(path)' is writable by group or others; run: chmod go-w '\(path)'"
            }
        }

        private static func name(of user: uid_t) -> String {
            // With PrivateUsers=, a service sees every user except root and its own as this one (user_namespaces(7)).
            if user == 65_534 { return "a user that is hidden here" }
            return FileTrust.entry { getpwuid_r(user, $0, $1, $2, $3) }.map { "'\($0.name)'" } ?? "user \(user)"
        }
    }

    /// The user with a name, or nil.
    package static func user(named name: String) -> uid_t? {
        entry { getpwnam_r(name, $0, $1, $2, $3) }?.user
    }

    /// An entry of the user database, read with the thread-safe variant of getpwnam(3).
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

    /// Trusts root, the user of this process, the user who started it with sudo(8), and another user if given.
    package init(
        _ other: uid_t? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        var users: Set<uid_t> = [0, geteuid()]
        // That user can do anything as root already; git trusts it for the same reason (git-config(1), safe.directory).
        if geteuid() == 0, let user = environment["SUDO_UID"].flatMap({ uid_t($0) }) {
            users.insert(user)
        }
        if let other { users.insert(other) }
        self.users = users
        groups = [0, getegid()]
    }

    /// The problem with the path to a file, without the file itself, or nil.
    ///
    /// - Parameters:
    ///   - path: The path as written; relative to the working directory.
    ///   - descriptor: The file, if it is open; its path is then resolved through the descriptor.
    package func problem(onTheWayTo path: String, descriptor: Int32? = nil) -> Problem? {
        let written = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        let name = descriptor.map { "/proc/self/fd/\($0)" } ?? written
        var status = stat()
        for folder in Self.folders(above: written) + Self.folders(above: RealPath.of(name) ?? written) {
            guard stat(folder, &status) == 0 else { continue }
            if let problem = problem(of: status, at: folder) { return problem }
        }
        // A link's owner decides its target, and in a folder like /tmp any user may create one.
        for link in [written] + Self.folders(above: written) {
            guard lstat(link, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { continue }
            if !users.contains(status.st_uid) { return .foreign(path: link, owner: status.st_uid) }
        }
        return nil
    }

    /// The problem with the path of a missing file: other users may create it, or the folders are not trusted; nil if
    /// no such problem exists.
    package func problem(ofMissing path: String) -> Problem? {
        if let problem = problem(onTheWayTo: path) { return problem }
        // The sticky bit prevents other users from replacing a file, but not from creating one.
        var status = stat()
        guard let folder = Self.folders(above: path).first(where: { stat($0, &status) == 0 }) else { return nil }
        return isWritable(status) ? .writable(path: folder) : nil
    }

    /// The problem with a file or folder itself, according to its stat(2) data, or nil.
    package func problem(of status: stat, at path: String) -> Problem? {
        if !users.contains(status.st_uid) { return .foreign(path: path, owner: status.st_uid) }
        let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
        return isWritable(status) && !isSticky ? .writable(path: path) : nil
    }

    /// Whether other users may write to a file or folder.
    func isWritable(_ status: stat) -> Bool {
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
