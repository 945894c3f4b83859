import ControlProtocol
import EventLoop
import Foundation
import Testing

/// A running `touchd run`: with a recording so slow that its first finger is down for two hours, or with this machine's
/// devices.
final class RunningTouchd {
    let control: String
    let layout: URL
    private let folder: TemporaryFolder
    private let process = Process()
    /// The socket in systemd's place, for the service's notifications.
    private let notifications: Int32

    /// - Parameters:
    ///   - events: A recording to play at normal speed instead of the slow one.
    ///   - pipe: A pipe with the recording to play instead, as fast as it comes.
    ///   - service: A folder that outlasts it, for the layout and as `StateDirectory=`; nil for a temporary folder and
    ///     no `StateDirectory=`.
    ///   - variables: Further environment variables.
    init(
        layout text: String, watchdog: Int? = nil, isLive: Bool = false, events: String? = nil, pipe: Pipe? = nil,
        service: URL? = nil, variables: [String: String] = [:]
    ) throws {
        folder = try TemporaryFolder(keeping: service)
        let notify = folder.url.appending(path: "notify").path
        try? FileManager.default.removeItem(atPath: notify)
        control = folder.url.appending(path: "control").path
        layout = try folder.file("layout.yaml", text)
        notifications = try Self.bind(notify)

        process.executableURL = URL(filePath: TouchdProgram.path)
        process.currentDirectoryURL = TouchdProgram.root
        var recording = ["--replay", "config/recordings/quanta-optical.evemu", "--speed", "0.0001"]
        if let events { recording = ["--replay", try folder.file("events.evemu", events).path] }
        if pipe != nil { recording = ["--replay", "-", "--speed", "max"] }
        process.arguments =
            ["run", "--layout", layout.path, "--format", "json", "--control", control] + (isLive ? [] : recording)
        var environment = ProcessInfo.processInfo.environment
        environment["NOTIFY_SOCKET"] = notify
        if let watchdog { environment["WATCHDOG_USEC"] = "\(watchdog)" }
        environment["STATE_DIRECTORY"] = service?.path
        environment.merge(variables) { $1 }
        process.environment = environment
        process.standardInput = pipe ?? FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        close(notifications)
    }

    /// Its folder in /proc.
    var systemFolder: URL { URL(filePath: "/proc/\(process.processIdentifier)") }

    /// Waits for a notification that contains a text; returns the messages up to that one.
    func notifications(until text: String) -> [String] {
        var messages: [String] = []
        while messages.last?.contains(text) != true {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(notifications, &bytes, bytes.count, 0)
            guard count > 0 else {
                Issue.record("touchd never said \(text): \(String(cString: strerror(errno)))")
                break
            }
            messages.append(String(decoding: bytes[..<count], as: UTF8.self))
        }
        return messages
    }

    /// Waits until touchd is ready, also again after a reload.
    @discardableResult func ready() -> Self {
        _ = notifications(until: "READY=1")
        return self
    }

    /// Returns once touchd is ready and the first finger is down.
    func waitForTouch() throws {
        ready()
        while try (command("status", "--json").json["touches"] as? [String: Int])?["began"] != 1 {}
    }

    /// Runs a command that controls it. If touchd answers too late on a busy machine (status 75, EX_TEMPFAIL), the
    /// command runs again.
    func command(_ arguments: String...) throws -> TouchdProgram.Outcome {
        while true {
            let outcome = try TouchdProgram.run(arguments + ["--socket", control])
            if outcome.status != 75 { return outcome }
        }
    }

    /// Sends it a signal.
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end and returns the exit status.
    func end() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }

    private static func bind(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        guard LocalAddress(path)?.withSockaddr({ Foundation.bind(descriptor, $0, $1) }) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        limitWaiting(of: descriptor)
        return descriptor
    }
}
