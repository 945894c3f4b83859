import CLinux
import EventLoop
import Foundation
import Layout

/// A program that was opened and checked just before it starts.
///
/// `ProgramTrust` has the rule for its owner, its mode and the folders of its path. The checked file is the executed file:
/// the program is executed from its opened folder, where no untrusted user can replace it.
///
/// It is not executed by its own descriptor, as fexecve(3) does: until Linux 6.14 the process would be named `5`, and
/// `pkill photo` would not find it. For a script, its interpreter is checked and executed with the script's path, so
/// `$0` is the same as usual.
final class OpenedProgram {
    /// The maximum depth of interpreters, as in the kernel's execve(2).
    private static let scriptDepth = 4

    /// The file to execute.
    let file: OpenedFile
    /// The program's arguments, from `argv[0]` on.
    let arguments: [String]

    /// Opens the program of a command.
    ///
    /// - Parameter isStrict: Whether to refuse a program that another user owns or could replace. A program that
    ///   everybody may write to is always refused.
    init(_ command: ProgramCommand, isStrict: Bool) throws(HandlerFailure) {
        let words = command.arguments
        let program = words.first ?? ""
        guard program.hasPrefix("/") else {
            throw .notStarted(program: "'\(program)'", reason: "it is not an absolute path")
        }
        do throws(Refusal) {
            if let user = command.user,
                let problem = ProgramTrust.problem(ofUser: user)?.description ?? ProgramUser.problem(user)
            {
                throw Refusal(reason: problem)
            }
            let trust = ProgramTrust(words, user: command.user)
            for file in trust.files.dropFirst() {
                _ = try Self.open(file, trust, isStrict, isExecuted: false)
            }
            let prefix = ProgramUser.command(for: command.user)
            var opened = try Self.open(program, trust, isStrict)
            var arguments = words
            if prefix.isEmpty {
                for _ in 0..<Self.scriptDepth {
                    guard let line = opened.interpreterLine else { break }
                    arguments = line + [arguments[0]] + arguments.dropFirst()
                    opened = try Self.open(line[0], trust, isStrict)
                }
            } else {
                // setpriv(1) changes the user first, and opens the program by its path.
                arguments = prefix + words
                opened = try Self.open(prefix[0], trust, isStrict)
            }
            (file, self.arguments) = (opened, arguments)
        } catch {
            let own = "\(program): "
            let reason = error.reason.hasPrefix(own) ? String(error.reason.dropFirst(own.count)) : error.reason
            throw .notStarted(program: program, reason: reason)
        }
    }

    private struct Refusal: Error { let reason: String }

    private static func open(
        _ path: String, _ trust: ProgramTrust, _ isStrict: Bool, isExecuted: Bool = true
    ) throws(Refusal) -> OpenedFile {
        guard let resolved = realpath(path, nil) else { throw Refusal(reason: "\(path): \(Self.reason)") }
        defer { free(resolved) }
        let place = String(cString: resolved)
        let slash = place.lastIndex(of: "/") ?? place.startIndex
        let name = String(place[place.index(after: slash)...])
        let parent = slash == place.startIndex ? "/" : String(place[..<slash])
        let folder = Glibc.open(parent, Int32(path_only) | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Refusal(reason: "\(parent): \(Self.reason)") }
        let file = openat(folder, name, Int32(path_only) | O_NOFOLLOW | O_CLOEXEC)
        defer { if file >= 0 { close(file) } }
        let opened = OpenedFile(folder: folder, name: name)
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0,
            !isExecuted || faccessat(folder, name, X_OK, AT_EACCESS) == 0
        else { throw Refusal(reason: "\(path): \(Self.reason)") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Refusal(reason: "\(path) is not a regular file") }
        if let problem = trust.problem(of: status, at: path, descriptor: file), isStrict || problem.kind == .refused {
            throw Refusal(reason: "\(problem)")
        }
        return opened
    }

    private static var reason: String { SystemError(call: "", errno: errno).reason }
}

/// A file by its opened folder, which the object closes.
final class OpenedFile {
    let folder: Int32
    let name: String

    fileprivate init(folder: Int32, name: String) { (self.folder, self.name) = (folder, name) }

    deinit { close(folder) }

    /// The interpreter and its one argument for a script that begins with `#!`; nil for any other file.
    fileprivate var interpreterLine: [String]? {
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // The kernel reads the same number of bytes (BINPRM_BUF_SIZE).
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(file, &bytes, bytes.count)
        guard count > 2, bytes[0] == UInt8(ascii: "#"), bytes[1] == UInt8(ascii: "!") else { return nil }
        let line = String(decoding: bytes[2..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let words = line.split(maxSplits: 1, omittingEmptySubsequences: true) { $0 == " " || $0 == "\t" }
        guard let interpreter = words.first, interpreter.hasPrefix("/") else { return nil }
        let argument = words.dropFirst().first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        return [String(interpreter)] + (argument.isEmpty ? [] : [argument])
    }
}
