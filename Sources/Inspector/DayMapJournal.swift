import ControlProtocol
import Foundation
import Layout
import Reports

/// Today's touches in the journal, read with journalctl as the user who runs the inspector.
nonisolated enum DayMapJournal {
    /// The timeout for journalctl in seconds; a day of a busy kiosk takes one or two.
    static let timeout = 30.0

    /// The unit of the service with a control socket; nil for a touchd that was started by hand.
    static func unit(ofSocket path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "run", parts[3] == "control" else { return nil }
        if parts[2] == "touchd" { return "touchd.service" }
        let instance = parts[2].dropFirst("touchd-".count)
        guard parts[2].hasPrefix("touchd-"), !instance.isEmpty else { return nil }
        return "touchd@\(instance).service"
    }

    /// The command that exports today's touches of a unit: when they began and ended.
    static func command(unit: String) -> [String] {
        let fields = [
            "MESSAGE_ID", "TOUCHD_TOUCH", "TOUCHD_VIEW", "TOUCHD_PAGE", "TOUCHD_SCREEN", "TOUCHD_X", "TOUCHD_Y",
            "TOUCHD_TIME", "_BOOT_ID", "_PID", "_HOSTNAME", "_MACHINE_ID",
        ]
        let touches: [MessageID] = [.touchBegan, .touchEnded, .touchCancelled]
        return [
            "/usr/bin/journalctl", "--quiet", "--no-pager", "--unit=\(unit)", "--since=today", "--output=export",
            "--output-fields=\(fields.joined(separator: ","))",
        ] + touches.map { "MESSAGE_ID=\($0.rawValue)" }
    }

    /// Counts the touches in the exported journal that a command writes.
    ///
    /// - Throws: A `SessionError` with the command's error message, or a `JournalError`.
    static func read(_ command: [String], into tally: inout DayMapTally) throws {
        let process = Process(), output = Pipe(), errors = Pipe()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch { throw SessionError("\(command[0]) cannot be started: \(error)") }
        let deadline = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout, execute: deadline)
        defer { deadline.cancel() }
        do {
            var reader = try JournalRecordReader(path: "/dev/fd/\(output.fileHandleForReading.fileDescriptor)")
            while let record = try reader.next() { tally.add(record) }
        } catch {
            process.terminate()
            process.waitUntilExit()
            throw error
        }
        let complaint = String(decoding: (try? errors.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let words = complaint.trimmingCharacters(in: .whitespacesAndNewlines)
            throw SessionError(words.isEmpty ? "\(command[0]) failed" : words)
        }
    }
}

extension DayMap {
    /// Today's touches in a unit's journal; if the journal is empty or unreadable, the touches that were seen.
    ///
    /// Blocks until journalctl is done.
    nonisolated init(of unit: String?, _ document: LayoutDocument, seen: [SeenTouch]) {
        var reason = "this touchd was started by hand, so the journal has no unit with its touches"
        if let unit {
            var tally = DayMapTally(document)
            do {
                try DayMapJournal.read(DayMapJournal.command(unit: unit), into: &tally)
                if tally.touches > 0 {
                    self = tally.map(.journal)
                    return
                }
                reason =
                    "the journal of \(unit) has no touch of today, or this user may not read it; use sudo, or the group adm or "
                    + "systemd-journal"
            } catch {
                reason = "the journal of \(unit) cannot be read: \(error)"
            }
        }
        var tally = DayMapTally(document)
        for touch in seen { tally.add(touch) }
        self = tally.map(.opened, reason: reason)
    }
}
