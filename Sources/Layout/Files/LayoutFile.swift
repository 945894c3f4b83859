import Basics
import Foundation

/// The file or folder at a path of a layout; opened only after a check that it is a regular file or a folder.
nonisolated struct LayoutFile {
    /// Identifies a file, whatever its path.
    struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// The content of the path.
    enum Content {
        /// A file's text.
        case text(String)
        /// A folder.
        case directory(Directory)
    }

    /// A folder that stays open, so that it cannot be replaced before its files are read.
    final class Directory {
        /// The sorted names of its `*.yaml` files.
        let names: [String]
        private let descriptor: Int32

        fileprivate init(_ descriptor: Int32) throws(LayoutFileError) {
            names = try LayoutFile.names(in: descriptor)
            self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard self.descriptor >= 0 else { throw .cannotRead(errno) }
        }

        /// A folder of a snapshot.
        fileprivate init(_ names: [String]) { (self.names, descriptor) = (names, -1) }

        deinit { if descriptor >= 0 { close(descriptor) } }

        /// Reads a file of the folder.
        ///
        /// - Parameter path: The file's path in findings.
        func file(_ name: String, at path: String) throws(LayoutFileError) -> LayoutFile {
            // The path of the folder is checked already.
            try LayoutFile(name, in: descriptor, at: path, allowsDirectory: false, checksFolders: false)
        }
    }

    let identity: Identity
    /// The file's owner.
    let owner: uid_t
    /// The time when it was changed last, in nanoseconds.
    let saved: Int
    let content: Content
    /// The reason why another user could change or replace the file; nil if none could.
    let trustProblem: FileTrust.Problem?

    /// The file or folder at a path of a snapshot, where its number identifies a file.
    init(path: String, of snapshot: LayoutSnapshot) throws(LayoutFileError) {
        let number = snapshot.files.firstIndex { $0.path == path }
        if let number {
            content = .text(snapshot.files[number].text)
        } else if let folder = snapshot.folders.first(where: { $0.path == path }) {
            content = .directory(Directory(folder.names))
        } else {
            throw .cannotOpen(ENOENT)
        }
        identity = Identity(device: 0, inode: UInt64(number ?? snapshot.files.count))
        owner = geteuid()
        saved = 0
        trustProblem = nil
    }

    /// Opens and reads a file, or if allowed, a directory.
    ///
    /// - Parameter checksFolders: Whether others may not write to the folders on its path either.
    init(path: String, allowsDirectory: Bool = false, checksFolders: Bool = true) throws(LayoutFileError) {
        try self.init(
            path, in: AT_FDCWD, at: path, allowsDirectory: allowsDirectory, checksFolders: checksFolders)
    }

    /// O_PATH from fcntl.h, which defines it only with GNU extensions.
    private static let holdsPlace: Int32 = 0o10_000_000

    private init(
        _ path: String, in directory: Int32, at place: String, allowsDirectory: Bool, checksFolders: Bool
    ) throws(LayoutFileError) {
        // O_PATH does not open the file, because opening some devices has an effect (it arms a watchdog or rewinds a
        // tape). O_NOFOLLOW makes sure that the checked file is the named one.
        let anchor = openat(directory, path, Self.holdsPlace | O_CLOEXEC | O_NOFOLLOW)
        guard anchor >= 0 else { throw .cannotOpen(errno) }
        defer { close(anchor) }
        var status = stat()
        guard fstat(anchor, &status) == 0 else { throw .cannotOpen(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR where allowsDirectory: break
        case S_IFLNK: throw .symbolicLink
        default: throw .notRegular
        }
        // Opens the same file for reading (proc_pid_fd(5)).
        let descriptor = open("/proc/self/fd/\(anchor)", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .cannotOpen(errno) }
        defer { close(descriptor) }
        owner = status.st_uid
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        saved = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        let trust = FileTrust()
        trustProblem =
            trust.problem(of: status, at: place)
            ?? (checksFolders ? trust.problem(onTheWayTo: path, descriptor: descriptor) : nil)
        // A layout can start programs, so untrusted users must not be able to write to it.
        if trust.isWritable(status) { throw .writableByOthers(path: place) }
        if status.st_mode & S_IFMT == S_IFDIR {
            content = .directory(try Directory(descriptor))
        } else {
            guard status.st_size <= LayoutLimit.fileSize else { throw .tooLarge(bytes: Int(status.st_size)) }
            content = .text(try Self.text(descriptor, size: Int(status.st_size)))
        }
    }

    private static func names(in descriptor: Int32) throws(LayoutFileError) -> [String] {
        // closedir closes the descriptor that it gets, but the files are opened afterwards.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .cannotRead(errno) }
        guard let reader = DirectoryReader(fdopendir(copy)) else {
            let number = errno
            close(copy)
            throw .cannotRead(number)
        }
        var names: [String] = []
        while let name = reader.next() {
            guard name.hasSuffix(".yaml"), !name.hasPrefix(".") else { continue }
            names.append(name)
            if names.count > LayoutLimit.includeCount { break }
        }
        if reader.error != 0 { throw .cannotRead(reader.error) }
        guard names.count <= LayoutLimit.includeCount else { throw .tooManyFiles }
        return names.sorted()
    }

    private static func text(_ descriptor: Int32, size: Int) throws(LayoutFileError) -> String {
        let bytes = try bytes(of: descriptor, size: size)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        throw notUTF8(bytes)
    }

    /// Everything up to the end of the file, which may have grown since its size was read.
    private static func bytes(of descriptor: Int32, size: Int) throws(LayoutFileError) -> [UInt8] {
        var bytes: [UInt8] = [], piece = [UInt8](repeating: 0, count: 64 * 1024)
        bytes.reserveCapacity(size)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .cannotRead(errno) }
            bytes += piece[..<count]
            guard bytes.count <= LayoutLimit.fileSize else { throw .tooLarge(bytes: bytes.count) }
        }
    }

    private static func notUTF8(_ bytes: [UInt8]) -> LayoutFileError {
        var (line, column) = (1, 1)
        var decoder = UTF8()
        var bytes = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&bytes) {
            if scalar == "\n" { (line, column) = (line + 1, 1) } else { column += 1 }
        }
        return .notUTF8(line: line, column: column)
    }
}

/// The reason why a file is not read.
nonisolated enum LayoutFileError: Error, Equatable, CustomStringConvertible {
    case cannotOpen(Int32)
    case cannotRead(Int32)
    case symbolicLink
    case notRegular
    case tooLarge(bytes: Int)
    case tooManyFiles
    case writableByOthers(path: String)
    case notUTF8(line: Int, column: Int)

    /// Whether the file is invalid or cannot be read.
    var kind: LayoutError.Kind {
        switch self {
        case .tooLarge, .tooManyFiles, .notUTF8, .writableByOthers, .symbolicLink: .invalid
        case .cannotOpen, .cannotRead, .notRegular: .unreadable
        }
    }

    var description: String {
        switch self {
        case .cannotOpen(let error): "cannot open the layout: \(ErrorText.of(error))"
        case .cannotRead(let error): "cannot read the layout: \(ErrorText.of(error))"
        case .symbolicLink:
            "a symbolic link, which another user could replace; copy the file"
        case .notRegular: "not a regular file"
        case .tooLarge(let bytes): "a layout must be at most \(LayoutLimit.fileSize) bytes (got \(bytes))"
        case .tooManyFiles:
            "the folder has more than \(LayoutLimit.includeCount) files named *.yaml; join some"
        case .writableByOthers(let path):
            "it is writable by group or others; run: chmod go-w '\(path)'"
        case .notUTF8: "the file is not UTF-8 here; save it as UTF-8"
        }
    }

    /// The finding about a file, at the invalid character if there is one, otherwise at its beginning.
    func finding(file: String) -> LayoutFinding {
        var location = SourceLocation(file: file)
        if case .notUTF8(let line, let column) = self { (location.line, location.column) = (line, column) }
        return LayoutFinding(.error, at: location, description)
    }
}
