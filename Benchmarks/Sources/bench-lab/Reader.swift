import Foundation
import Synchronization

/// A program that reads the panel, and what it wrote of it, with the moments at which that arrived.
final class Reader: Sendable {
    /// A program's output format; `keys` is triggerhappy's, which reports only that the panel is touched.
    enum Format: String { case touchd, evtest, libinput, keys }

    private struct Chunk {
        var bytes: [UInt8]
        var arrival: Int64
    }

    let name: String
    private let format: Format
    private let process: pid_t
    private let chunks = Mutex<[Chunk]>([])

    /// Starts a program: its name, `=`, its format, `:` and its words.
    init(_ argument: String, node: String) throws {
        let name = argument.prefix { $0 != "=" }
        let rest = argument.dropFirst(name.count + 1)
        let word = rest.prefix { $0 != ":" }
        guard let format = Format(rawValue: String(word)) else { throw Panel.Failure(message: "what is \(word)?") }
        let command = rest.dropFirst(word.count + 1).replacing("NODE", with: node)
        let pipe = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec \(command)"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        try process.run()
        self.name = String(name)
        self.format = format
        self.process = process.processIdentifier
        let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
        Thread.detachNewThread { [self] in readEvents(descriptor) }
    }

    /// How many times something arrived.
    var count: Int { chunks.withLock { $0.count } }

    /// Whether it has reported a touch: libinput and evtest report the device first.
    var hasWritten: Bool {
        let text = text()
        return switch format {
        case .touchd: text.contains("began")
        case .evtest: text.contains("Event: time")
        case .libinput: text.contains("TOUCH_DOWN")
        case .keys: text.contains("BTN_TOUCH")
        }
    }

    /// Drops what has arrived.
    func forget() { chunks.withLock { $0.removeAll(keepingCapacity: true) } }

    func stop() { kill(process, SIGTERM) }

    /// The number of frames that it reported.
    func reported(_ work: Work, _ played: [Work.Frame]) -> Int {
        format == .keys ? lines().count { Self.isKeyDown($0.line) } : latencies(work, played).count
    }

    /// From the kernel's stamp of each reported frame to the arrival of its last line, shortest first.
    func latencies(_ work: Work, _ played: [Work.Frame]) -> [Int64] {
        var arrivals = [Int64?](repeating: nil, count: played.count)
        var frame = 0
        for (line, arrival) in lines() {
            if format == .keys {
                // Its lines have no place: they are the frames' if there are as many.
                guard work == .taps, Self.isKeyDown(line) else { continue }
                guard frame < played.count else { return [] }
                arrivals[frame] = arrival
                frame += 1
            } else if let place = work.place(in: line, of: format), frame < played.count {
                frame += (place - played[frame].place + Panel.places) % Panel.places
                if frame < played.count { arrivals[frame] = arrival }
            }
        }
        if format == .keys, frame != played.count { return [] }
        return zip(played, arrivals).compactMap { frame, arrival in arrival.map { $0 - frame.stamp } }.sorted()
    }

    /// triggerhappy writes the event, and then again as a line for its configuration, behind a `#`.
    private static func isKeyDown(_ line: Substring) -> Bool { line.hasPrefix("EV_KEY\tBTN_TOUCH\t1") }

    private func text() -> String { String(decoding: chunks.withLock { $0.flatMap(\.bytes) }, as: UTF8.self) }

    /// Its lines, each with the moment at which its end arrived.
    private func lines() -> [(line: Substring, arrival: Int64)] {
        var lines: [(Substring, Int64)] = []
        var begun: [UInt8] = []
        for chunk in chunks.withLock({ $0 }) {
            for byte in chunk.bytes {
                if byte == UInt8(ascii: "\n") {
                    lines.append((Substring(decoding: begun, as: UTF8.self), chunk.arrival))
                    begun.removeAll(keepingCapacity: true)
                } else {
                    begun.append(byte)
                }
            }
        }
        return lines
    }

    private func readEvents(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            let arrival = now()
            guard count > 0 else { break }
            chunks.withLock { $0.append(Chunk(bytes: Array(buffer[..<count]), arrival: arrival)) }
        }
    }
}
