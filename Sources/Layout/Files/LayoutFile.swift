import ControlProtocol
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
        private let path: String

        fileprivate init(_ descriptor: Int32, path: String) throws(LayoutFileError) {
            names = try LayoutFile.names(in: descriptor)
            self.path = path
            self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard self.descriptor >= 0 else { throw .cannotRead(errno) }
        }

        deinit { close(descriptor) }

        /// Reads a file of the folder.
        func file(_ name: String) throws(LayoutFileError) -> LayoutFile {
            try LayoutFile(name, in: descriptor, at: "\(path)/\(name)", allowsDirectory: false)
        }
    }

    let identity: Identity
    /// The file's owner.
    let owner: uid_t
    let content: Content
    /// The reason why another user could change or replace the file; nil if none could.
    let trustProblem: FileTrust.Problem?

    /// The file of a snapshot with a number, which identifies it there.
    init(text: String, number: Int) {
        identity = Identity(device: 0, inode: UInt64(number))
        owner = geteuid()
        content = .text(text)
        trustProblem = nil
    }

    /// Opens and reads a file, or if allowed, a directory.
    init(path: String, allowsDirectory: Bool = false) throws(LayoutFileError) {
        try self.init(path, in: AT_FDCWD, at: path, allowsDirectory: allowsDirectory)
    }

    /// O_PATH from fcntl.h, which defines it only with GNU extensions.
    private static let holdsPlace: Int32 = 0o10_000_000

    private init(
        _ path: String, in directory: Int32, at place: String, allowsDirectory: Bool
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
        let trust = FileTrust()
        // For a file in a directory, the path of the directory is checked already.
        let isStandalone = directory == AT_FDCWD
        trustProblem =
            trust.problem(of: status, at: place)
            ?? (isStandalone ? trust.problem(onTheWayTo: path, descriptor: descriptor) : nil)
        // A layout can start programs, so untrusted users must not be able to write to it.
        if trust.isWritable(status) { throw .writableByOthers }
        if status.st_mode & S_IFMT == S_IFDIR {
            content = .directory(try Directory(descriptor, path: place))
        } else {
            guard status.st_size <= LayoutLimit.fileSize else { throw .tooLarge(bytes: Int(status.st_size)) }
            content = .text(try Self.text(descriptor, size: Int(status.st_size)))
        }
    }

    private static func names(in descriptor: Int32) throws(LayoutFileError) -> [String] {
        // closedir closes the descriptor that it gets, but the files are opened afterwards.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = fdopendir(copy) else { throw .cannotRead(errno) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasSuffix(".yaml"), !name.hasPrefix(".") else { continue }
            names.append(name)
            if names.count > LayoutLimit.includeCount { break }
        }
        closedir(stream)
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
nonisolated enum LayoutFileError: Error, CustomStringConvertible {
    case cannotOpen(Int32)
    case cannotRead(Int32)
    case symbolicLink
    case notRegular
    case tooLarge(bytes: Int)
    case tooManyFiles
    case writableByOthers
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
        case .cannotOpen(let error): "cannot open the layout: \(String(cString: strerror(error)))"
        case .cannotRead(let error): "cannot read the layout: \(String(cString: strerror(error)))"
        case .symbolicLink:
            "a symbolic link, which another user could replace; copy the file"
        case .notRegular: "not a regular file"
        case .tooLarge(let bytes): "a layout must be at most \(LayoutLimit.fileSize) bytes (got \(bytes))"
        case .tooManyFiles:
            "the folder has more than \(LayoutLimit.includeCount) files named *.yaml; join some"
        case .writableByOthers:
            "the file is writable by group or others; run: chmod go-w FILE"
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

/// The texts of a layout's files as they were read, from which the same layout can be read again when the files have
/// changed or are gone.
package nonisolated struct LayoutSnapshot: JSONMessage, Equatable {
    /// A file of the layout.
    package struct File: JSONMessage, Equatable {
        package var path = "", text = ""
        package init() {}
        init(path: String, text: String) { (self.path, self.text) = (path, text) }

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("path", "the path as it was read", \.path)
            visitor.member("text", "the file's text", \.text)
        }
    }

    package internal(set) var files: [File] = []
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("files", "the files in the order in which they were read; the first is the main file", \.files)
    }

    /// The files that `include:` reads for a path: the file itself, or the files of a folder, in order.
    func files(at path: String) -> [(number: Int, file: File)] {
        files.enumerated().filter { $1.path == path || Self.folder(of: $1.path) == path }.map { ($0, $1) }
    }

    /// The first 12 digits of `cat FILES | sha256sum`, with the files in the order in which they were read.
    var hash: String {
        String(SHA256.digest(of: files.flatMap(\.text.utf8)).prefix(12))
    }

    /// The folders that contain the files.
    package var folders: Set<String> { Set(files.map { Self.folder(of: $0.path) }) }

    private static func folder(of path: String) -> String {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
    }
}

nonisolated extension Date {
    /// The date in UTC, to the second, by ISO 8601: `2026-11-01T01:00:00Z`.
    package var utcText: String { "\(utcText(separator: "T"))Z" }

    /// Year to second in UTC, without the zone: `2026-11-01 01:00:00`.
    ///
    /// `formatted(.iso8601)` would need ICU's data of time zones, which the programs do not have (`packaging/icu-data`). A date of another
    /// era is written as the nearest in the years 1 to 9999.
    package func utcText(separator: String) -> String {
        let interval = timeIntervalSince1970
        var seconds = time_t(interval.isNaN ? 0 : min(max(interval.rounded(.down), -62_135_596_800), 253_402_300_799))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let day = String(format: "%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
        return day + separator + String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec)
    }
}

/// The SHA-256 digest (FIPS 180-4), as `sha256sum` prints it.
package nonisolated struct SHA256 {
    private static let constants: [UInt32] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ]

    private var state: [UInt32] = [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    ]
    private var schedule = [UInt32](repeating: 0, count: 64)

    /// The digest of a message, in hexadecimal.
    package static func digest(of message: [UInt8]) -> String {
        var bytes = message
        bytes.append(0x80)
        bytes += repeatElement(0, count: (120 - bytes.count % 64) % 64)
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: (message.count * 8) >> shift))
        }
        var digest = SHA256()
        bytes.withUnsafeBufferPointer { bytes in
            for start in stride(from: 0, to: bytes.count, by: 64) { digest.add(bytes, at: start) }
        }
        return digest.state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
        for index in 0..<16 {
            let place = start + 4 * index
            schedule[index] =
                UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
                | UInt32(bytes[place + 3])
        }
        for index in 16..<64 {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let first =
                h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ Self.constants[index]
                &+ schedule[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}
