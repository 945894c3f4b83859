import Basics
import ControlProtocol
import EventLoop
import Evdev
import Foundation
import Handlers
import Layout
import Service

/// Checks the installation on a kiosk: layout, service, devices, journal and programs.
@MainActor
struct InstallationCheck {
    private let findings: SelftestResults
    /// How long the first answer of a process may take that systemd starts for it.
    private static let answerTime = Duration.seconds(20)

    init(_ findings: SelftestResults) { self.findings = findings }

    /// Requests the status of the running service; nil if none answers.
    func service(at socket: String) -> StatusReport? {
        let status: StatusReport
        do {
            // A slow service is not a missing service.
            status = try ControlConnection(path: socket, timeout: .seconds(20)).status()
        } catch {
            findings.fail("service", "\(error)")
            return nil
        }
        findings.pass("service", "touchd \(status.version), process \(status.process), answers at \(socket)")
        if let watchdog = status.watchdog {
            findings.pass(
                "watchdog", "systemd restarts touchd if it does not respond for \(String(format: "%g s", watchdog))")
        } else {
            findings.skip("watchdog", "no watchdog; start touchd as a service, whose unit has WatchdogSec=")
        }
        return status
    }

    /// Reads the layout and compares it with the service's.
    func layout(at path: String, of status: StatusReport?) -> LayoutDocument? {
        let document: LayoutDocument
        do throws(LayoutError) {
            document = try LayoutDocument(path: path, handlers: HandlerRegistry.builtinNames)
        } catch {
            for finding in error.diagnostics where finding.severity == .error { findings.fail("layout", "\(finding)") }
            return nil
        }
        if let refusal = status?.refusal {
            findings.fail("layout", "the service refused it and still uses the previous one: \(refusal)")
        } else if let used = status?.layout, !isSameFile(used, path) {
            findings.skip("layout", "\(path) is good, but the service uses \(used)")
        } else if let used = status?.layoutHash, used != document.fileHash {
            findings.fail(
                "layout", "\(path) is good, but the service uses a previous version of it; run: touchd reload")
        } else {
            let warnings =
                document.warnings.isEmpty ? "" : "; 'touchd check' shows \(document.warnings.count) warnings"
            findings.pass("layout", "\(path) is good\(warnings)")
        }
        return document
    }

    /// Checks the devices that the service reads, or without a service, those it would read.
    func devices(_ rules: [DeviceRule], of status: StatusReport?) {
        let present: [DeviceInfo]
        do {
            present = try DeviceMonitor.survey(rules: rules + VirtualDevice.deviceRules)
        } catch {
            return findings.fail("devices", "\(error)")
        }
        let devices = status?.devices ?? present.map { StatusReport.Device($0) }
        for device in devices { if let problem = device.problem { findings.fail("devices", problem) } }
        let used = devices.filter { $0.use == .used }
        if used.isEmpty {
            findings.fail("devices", "no device is in use; 'touchd devices' shows why")
        } else {
            findings.pass("devices", "used: " + used.map { "\($0.name) (\($0.path))" }.joined(separator: ", "))
        }
        for rule in rules where rule.absence != nil {
            let isPresent = present.contains { device in
                device.settings.rules.contains(rule.label) && used.contains { $0.path == device.path }
            }
            if !isPresent { findings.fail("devices", "the device that the rule at \(rule.label) expects is missing") }
        }
    }

    /// Writes an entry to the journal.
    func journal() {
        let path = JournalEntry.socket
        do {
            let sender = try DatagramSender(path: path)
            var entry = JournalEntry()
            entry.begin(message: "touchd's self-test checks that journald accepts entries", priority: 6)
            switch entry.withBytes({ sender.send($0) }) {
            case .sent: findings.pass("journal", "journald accepts entries")
            case .full:
                findings.fail(
                    "journal", "journald accepts no entries at the moment; see 'journalctl -u systemd-journald'")
            case .absent, .tooLong:
                findings.fail(
                    "journal", "journald does not listen at \(path); see 'systemctl status systemd-journald'")
            }
        } catch {
            findings.fail("journal", "\(error)")
        }
    }

    /// Checks the programs that handlers start: as root for the service's user, otherwise for the current user.
    func programs(of document: LayoutDocument, startedBy status: StatusReport?) {
        let programs = document.programs
        guard !programs.isEmpty else { return }
        if let socket = status.flatMap({ Self.socket("TOUCHD_EXEC_SOCKET", of: $0.process) }),
            let problem = PacketSocket.programsProblem(at: socket, within: Self.answerTime)
        {
            return findings.fail("programs", problem)
        }
        var found = programs.count
        if geteuid() == 0 {
            let unusable = document.unusablePrograms
            found -= unusable.count
            for finding in unusable { findings.fail("programs", "\(finding.location): \(finding.message)") }
        } else {
            for (path, location) in programs where access(path, X_OK) != 0 {
                found -= 1
                findings.fail("programs", "\(location): \(path) cannot be started: \(ErrorText.of(errno))")
            }
        }
        if found > 0 {
            findings.pass(
                "programs", "\(found) program\(found == 1 ? "" : "s") of handlers can be started; none was started")
        }
    }

    /// Checks that messages and requests of handlers can leave the machine.
    func network(of document: LayoutDocument, usedBy status: StatusReport?) {
        guard !document.networkSetup.isEmpty, let status else { return }
        if let socket = Self.socket("TOUCHD_NETWORK_SOCKET", of: status.process),
            let problem = PacketSocket.networkProblem(at: socket, within: Self.answerTime)
        {
            return findings.fail("network", problem)
        }
        let peers = status.network ?? []
        for peer in peers {
            if let error = peer.error { findings.fail("network", "\(peer.name): \(error)") }
        }
        for peer in peers where peer.error == nil && peer.phase != .connected {
            findings.skip("network", "\(peer.name): not reached yet")
        }
        let names = peers.filter { $0.error == nil && $0.phase == .connected }.map(\.name)
        if !names.isEmpty { findings.pass("network", "reached: \(names.joined(separator: ", "))") }
    }

    /// A socket of the service, by the variable that names it; nil if it has none or only root may know.
    private static func socket(_ variable: String, of process: Int32) -> String? {
        FileManager.default.contents(atPath: "/proc/\(process)/environ")?.split(separator: 0)
            .map { String(decoding: $0, as: UTF8.self) }.first { $0.hasPrefix("\(variable)=") }?
            .split(separator: "=", maxSplits: 1).last.map(String.init)
    }

    private func isSameFile(_ one: String, _ other: String) -> Bool {
        let files = [one, other].map { URL(filePath: $0).standardizedFileURL.resolvingSymlinksInPath().path }
        return files[0] == files[1]
    }
}

extension StatusReport.Device {
    /// Why it is not used or not forwarded, although it should be.
    fileprivate var problem: String? {
        if held == true { return "\(path): \(name) is \(DeviceInfo.heldNote)" }
        if use == .failed { return "\(path): \(name) cannot be used\(reason.map { ": \($0)" } ?? "")" }
        // With a node it only waits for the lift of a finger.
        return forward == nil ? forwardRemark.map { "\(path): \(name) is not forwarded: \($0)" } : nil
    }
}
