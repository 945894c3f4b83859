import Foundation
import CLinux

/// A program that a test communicates with; it is ended with the object.
final class Server {
    private let process = Process()
    private let output = Pipe()
    private var unread = Data()

    /// Starts a program in the project's folder.
    init(
        _ arguments: [String], input: FileHandle = .nullDevice, mergingErrors: Bool = false, errors: URL? = nil
    ) throws {
        process.executableURL = URL(filePath: arguments[0])
        process.arguments = Array(arguments.dropFirst())
        process.standardOutput = output
        process.standardError = mergingErrors ? output : try errors.map(FileHandle.init(forWritingTo:)) ?? .nullDevice
        process.standardInput = input
        process.currentDirectoryURL = TouchdProgram.root
        try process.run()
    }

    // Not SIGTERM: tests run on threads of libdispatch, which block it, and the program inherits that.
    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Ends the program and waits until it has ended.
    func stop() { end(SIGKILL) }

    /// Waits until the program has ended, optionally after a signal; returns its exit status, and -1 if a signal ended it.
    @discardableResult
    func end(_ signal: Int32? = nil) -> Int32 {
        if let signal, process.isRunning { kill(process.processIdentifier, signal) }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }

    /// Its folder in /proc.
    var systemFolder: URL { URL(filePath: "/proc/\(process.processIdentifier)") }

    /// The rest of its output.
    func text() -> String {
        String(decoding: unread + ((try? output.fileHandleForReading.readToEnd()) ?? Data()), as: UTF8.self)
    }

    /// The next line of its output; nil when it has ended.
    func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = unread[(end + 1)...] }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { return nil }
            unread += piece
        }
    }
}

/// A TCP port that nothing listens on.
func freePort() -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return Int(bindToLoopback(descriptor))
}

/// Gives a socket an unused port of this machine's loopback address; returns the port.
func bindToLoopback(_ descriptor: Int32) -> UInt16 {
    _ = withLoopback(port: 0) { bind(descriptor, $0, $1) }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
}

/// The address of a port of this machine.
func withLoopback(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
}

/// Creates a self-signed certificate for `localhost`, NAME.crt, and its key, NAME.key, readable for everybody.
func makeCertificate(_ name: String, in folder: URL) throws {
    let (certificate, key) = (folder.appending(path: "\(name).crt").path, folder.appending(path: "\(name).key").path)
    let openssl = try Server([
        "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
        certificate,
    ])
    while openssl.line() != nil {}
    openssl.stop()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
}
