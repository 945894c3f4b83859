import Foundation

// Run by Tests/Lab/latency.sh in the kernel lab: WORK HERTZ FINGERS FRAMES NAME=FORMAT:COMMAND…, where NODE in a command stands
// for the event node. WORK is `taps` (a finger down, up, down … frame by frame) or `moves` (all fingers move in each frame).
//
// Makes a touchscreen, has the programs read it, all at the same time, plays the work, and prints for each program how many
// frames it reported and how long after the kernel's stamp: the moment at which the last line that it wrote of a frame arrived.
// With STATUS, a command that prints touchd's status as JSON, it prints when handlers began as well, by touchd's own count.
let arguments = CommandLine.arguments
guard arguments.count > 5, let work = Work(rawValue: arguments[1]), let hertz = Int(arguments[2]),
    let fingers = Int32(arguments[3]), let frames = Int(arguments[4])
else {
    FileHandle.standardError.write(Data("usage: bench-lab taps|moves HERTZ FINGERS FRAMES NAME=FORMAT:COMMAND…\n".utf8))
    exit(64)
}
let panel = try Panel(fingers: fingers)
// libinput takes a device once udevd has dealt with it.
_ = try printed(by: "udevadm wait \(panel.node)")
let readers = try arguments[5...].map { try Reader($0, node: panel.node) }

// A program is ready once it has reported a tap; it may miss taps while it starts.
while readers.contains(where: { !$0.hasWritten }) {
    try panel.tap()
    usleep(200_000)
}
// Warm up: the first run loads pages and lets the emulator translate code.
_ = try work.play(on: panel, hertz: hertz, frames: frames / 10)
waitForSilence()
for reader in readers { reader.forget() }
let played = try work.play(on: panel, hertz: hertz, frames: frames)
waitForSilence()

/// Returns when nothing more comes of what was played.
func waitForSilence() {
    var written = -1
    while written != readers.map(\.count).reduce(0, +) {
        written = readers.map(\.count).reduce(0, +)
        usleep(1_000_000)
    }
}

for reader in readers {
    let latencies = reader.latencies(work, played)
    let cells = latencies.isEmpty ? ["–", "–", "–"] : [0.5, 0.99, 0.999].map { text(latencies, $0) }
    print(
        "| \(reader.name) | \(reader.reported(work, played)) of \(played.count) | \(cells.joined(separator: " | ")) |")
}
if let command = ProcessInfo.processInfo.environment["STATUS"] {
    let status = try JSONDecoder().decode(Status.self, from: printed(by: command))
    let cells = [status.latency.p50, status.latency.p99, status.latency.p999].map { text($0) }
    print("| touchd, its handler's first line | \(status.latency.count) handlers | \(cells.joined(separator: " | ")) |")
}
for reader in readers { reader.stop() }

/// The part of touchd's status that is used here; times in seconds.
struct Status: Decodable {
    struct Timing: Decodable { var count: Int, p50, p99, p999: Double }
    var latency: Timing
}

func printed(by command: String) throws -> Data {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw Panel.Failure(message: "\(command): \(process.terminationStatus)")
    }
    return data
}

func text(_ seconds: Double) -> String { String(format: "%.2f ms", seconds * 1000) }

/// The percentile of sorted nanoseconds.
func text(_ latencies: [Int64], _ part: Double) -> String {
    text(Double(latencies[min(Int(Double(latencies.count) * part), latencies.count - 1)]) / 1e9)
}
