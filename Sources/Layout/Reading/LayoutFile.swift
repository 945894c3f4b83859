import Foundation

/// What a path of a layout leads to: opened once, looked at, and read from that one descriptor.
nonisolated struct LayoutFile {
    /// Far above any layout a person writes, and small enough to be read at once.
    static let sizeLimit = 16 * 1024 * 1024

    /// What tells one file from another, by whatever paths they are reached.
    struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// What was found.
    enum Content {
        /// A file's text.
        case text(String)
        /// The files of a directory that are called `*.yaml`, in the order of their names.
        case directory([(name: String, file: Result<LayoutFile, LayoutFileError>)])
    }

    let identity: Identity
    let content: Content
    /// Who else could change it or put another in its place; nil if nobody can.
    let doubt: FileTrust.Problem?

    /// Opens a file, or where that is allowed a directory, and reads it.
    init(path: String, allowsDirectory: Bool = false) throws(LayoutFileError) {
        try self.init(path, in: AT_FDCWD, at: path, allowsDirectory: allowsDirectory)
    }

    private init(
        _ path: String, in directory: Int32, at place: String, allowsDirectory: Bool
    ) throws(LayoutFileError) {
        // O_NONBLOCK: opening a FIFO must not wait for its writer. O_NOFOLLOW: what is checked is what was named.
        let descriptor = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY)
        guard descriptor >= 0 else { throw errno == ELOOP ? .symbolicLink : .cannotOpen(errno) }
        defer { close(descriptor) }

        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannotOpen(errno) }
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        let trust = FileTrust()
        // The way to a directory's files is the way to the directory.
        let isOnItsOwn = directory == AT_FDCWD
        doubt =
            trust.problem(of: status, at: place)
            ?? (isOnItsOwn ? trust.problem(onTheWayTo: path, descriptor: descriptor) : nil)
        switch status.st_mode & S_IFMT {
        case S_IFDIR where allowsDirectory:
            try Self.refuseForeignWriters(status)
            content = .directory(try Self.files(in: descriptor, at: place))
        case S_IFREG:
            try Self.refuseForeignWriters(status)
            guard status.st_size <= Self.sizeLimit else { throw .tooLarge(bytes: Int(status.st_size)) }
            content = .text(try Self.text(descriptor, size: Int(status.st_size)))
        default:
            throw .notRegular
        }
    }

    /// Whoever can write a layout can have touchd start programs, so that must not be just anybody.
    ///
    /// A group may, if it is root's or the one that the process has itself: that of a user alone, on most systems.
    private static func refuseForeignWriters(_ status: stat) throws(LayoutFileError) {
        let isGroupTrusted = status.st_gid == 0 || status.st_gid == getegid()
        if status.st_mode & S_IWOTH != 0 || status.st_mode & S_IWGRP != 0 && !isGroupTrusted {
            throw .writableByOthers
        }
    }

    private static func files(
        in descriptor: Int32, at place: String
    ) throws(LayoutFileError) -> [(name: String, file: Result<LayoutFile, LayoutFileError>)] {
        // closedir closes what it was given, and the files are opened after that.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = fdopendir(copy) else { throw .cannotRead(errno) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".yaml"), !name.hasPrefix(".") { names.append(name) }
        }
        closedir(stream)
        return names.sorted().map { name in
            do throws(LayoutFileError) {
                return (
                    name, .success(try LayoutFile(name, in: descriptor, at: "\(place)/\(name)", allowsDirectory: false))
                )
            } catch {
                return (name, .failure(error))
            }
        }
    }

    private static func text(_ descriptor: Int32, size: Int) throws(LayoutFileError) -> String {
        let bytes = try bytes(of: descriptor, size: size)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        throw notUTF8(bytes)
    }

    /// Everything up to the end, which may be further away than the size said: a file can grow meanwhile.
    private static func bytes(of descriptor: Int32, size: Int) throws(LayoutFileError) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: size + 1)
        var count = 0
        while true {
            let result = bytes.withUnsafeMutableBytes { buffer in
                read(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).baseAddress,
                    buffer.count - count)
            }
            if result < 0 {
                if errno == EINTR { continue }
                throw .cannotRead(errno)
            }
            if result == 0 { return bytes[..<count] }
            count += result
            guard count == bytes.count else { continue }
            guard count <= sizeLimit else { throw .tooLarge(bytes: count) }
            bytes += [UInt8](repeating: 0, count: min(max(count, 4096), sizeLimit + 1 - count))
        }
    }

    private static func notUTF8(_ bytes: ArraySlice<UInt8>) -> LayoutFileError {
        var (line, column) = (1, 1)
        var decoder = UTF8()
        var bytes = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&bytes) {
            if scalar == "\n" { (line, column) = (line + 1, 1) } else { column += 1 }
        }
        return .notUTF8(line: line, column: column)
    }
}

/// Why a file is not read.
nonisolated enum LayoutFileError: Error, CustomStringConvertible {
    case cannotOpen(Int32)
    case cannotRead(Int32)
    case symbolicLink
    case notRegular
    case tooLarge(bytes: Int)
    case writableByOthers
    case notUTF8(line: Int, column: Int)

    /// Whether it is the file that is wrong, and not the way to it.
    var kind: LayoutError.Kind {
        switch self {
        case .tooLarge, .notUTF8, .writableByOthers, .symbolicLink: .invalid
        case .cannotOpen, .cannotRead, .notRegular: .unreadable
        }
    }

    var description: String {
        switch self {
        case .cannotOpen(let error): "cannot open the layout: \(String(cString: strerror(error)))"
        case .cannotRead(let error): "cannot read the layout: \(String(cString: strerror(error)))"
        case .symbolicLink:
            "a symbolic link; a layout is a file of its own, so that nobody can put another in its place"
        case .notRegular: "not a regular file; a layout is a YAML file that can be read to its end"
        case .tooLarge(let bytes): "the file has \(bytes) bytes, and a layout may have at most \(LayoutFile.sizeLimit)"
        case .writableByOthers:
            "others than its owner may write to it, and so have touchd do what they like; take that from them by chmod go-w"
        case .notUTF8: "the file is not UTF-8 here; save it with that encoding"
        }
    }

    /// The finding about a file, at the character that is wrong or else at its beginning.
    func finding(file: String) -> LayoutFinding {
        var location = SourceLocation(file: file)
        if case .notUTF8(let line, let column) = self { (location.line, location.column) = (line, column) }
        return LayoutFinding(.error, at: location, description)
    }
}
