import Foundation
import Glibc
import MockedInput

/// Another program that records a device until it is interrupted.
final class RecordingProcess {
    private let process = Process()
    private let output = Pipe()
    private var text = ""

    /// Starts the program, and returns when it has described the device: then it has asked for the device's state, and
    /// gets all later events.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments, which writes the recording to standard output.
    ///   - lastLine: The last line of what it writes before the first event.
    init(_ command: [String], describesUpTo lastLine: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/stdbuf")
        process.arguments = ["--output=L"] + command
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = ""
        while line != lastLine {
            guard let next = try nextLine() else {
                throw TestBed.Failure(message: "\(command.joined(separator: " ")) recorded nothing: \(text)")
            }
            line = next
        }
    }

    /// Stops the program until `resume()`, so that it reads nothing.
    func suspend() throws {
        guard process.suspend() else { throw TestBed.Failure(message: "the recording program cannot be stopped") }
        var status = siginfo_t()
        guard waitid(P_PID, id_t(process.processIdentifier), &status, WSTOPPED) == 0 else {
            throw TestBed.Failure.last("waitid")
        }
    }

    func resume() { _ = process.resume() }

    /// Interrupts the program after a number of events, and returns the recording.
    /// - Parameter eventMark: How the line of an event begins.
    func finish(after count: Int, _ eventMark: String) throws -> String {
        // evemu-record, interrupted, does not write the event that it has just read.
        var left = count
        while left > 0, let line = try nextLine() {
            if line.hasPrefix(eventMark) { left -= 1 }
        }
        process.interrupt()
        while try nextLine() != nil {}
        process.waitUntilExit()
        return text
    }

    /// The next line of the recording without its blanks; nil at the end.
    private func nextLine() throws -> String? {
        var line: [UInt8] = []
        // Byte by byte, because the end of the description is not the end of a read.
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
            line.append(byte)
            if byte == UInt8(ascii: "\n") { break }
        }
        let read = String(decoding: line, as: UTF8.self)
        text += read
        return line.isEmpty ? nil : read.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
