import ControlProtocol
import Foundation

/// Tests an installation on the kiosk itself; the integrator runs it after an installation.
///
/// It checks what is installed and running. Then it creates a uinput touchscreen, and the running service reports which
/// views a finger on it hits. The service runs no handlers for this finger.
@MainActor
final class TestRun {
    /// The options of a test.
    nonisolated struct Options: Sendable {
        /// The layout; nil for the running service's, or otherwise the installed one.
        var layout: String?
        /// The control socket of the running service.
        var socket = ControlAddress.ofClient
        /// Whether to create a touchscreen through uinput.
        var usesKernel = true

        /// Creates the default options.
        init() {}
    }

    /// The service's default layout.
    nonisolated static let installedLayout = "/etc/touchd/touchd.yaml"

    private let options: Options
    private let findings: Findings

    /// Creates a test; nothing is opened or read yet.
    ///
    /// - Parameter report: Called with each finding immediately.
    init(_ options: Options, report: @escaping (Finding) -> Void) {
        self.options = options
        findings = Findings(report)
    }

    /// The number of checks with an outcome.
    func count(_ outcome: Finding.Outcome) -> Int { findings.counts[outcome] ?? 0 }

    /// Runs all checks; takes several seconds.
    func run() {
        let installation = InstallationCheck(findings)
        let status = installation.service(at: options.socket)
        let path = options.layout ?? status?.layout ?? Self.installedLayout
        let document = installation.layout(at: path, of: status)
        installation.devices(document?.devices ?? [], of: status)
        installation.journal()
        if let document {
            installation.programs(of: document, startedBy: status)
            installation.network(of: document, usedBy: status)
        }
        if !options.usesKernel {
            findings.skip("touches", "not tested because of --no-touchscreen")
        } else if status?.layout == nil {
            findings.skip("touches", "not tested, because no service with a layout answers")
        } else {
            FingerTest.run(findings, socket: options.socket)
        }
    }
}

/// The result of one check of a self-test.
struct Finding: Sendable, Equatable {
    /// The outcome of the check.
    enum Outcome: String, Sendable {
        /// The check passed.
        case passed = "pass"
        /// The check failed.
        case failed = "FAIL"
        /// The check could not be tried here.
        case skipped = "skip"
    }

    /// The outcome of the check.
    var outcome: Outcome
    /// The subject of the check, in a word or two.
    var subject: String
    /// The observation; for a failure, the error and how to fix it.
    var detail: String

    /// The finding on one line, for people.
    var line: String {
        "\(outcome.rawValue)  \(subject.padding(toLength: max(14, subject.count), withPad: " ", startingAt: 0))  \(detail)"
    }
}

/// The findings of a self-test, reported one by one.
@MainActor
final class Findings {
    private let report: (Finding) -> Void
    /// The number of checks with each outcome.
    private(set) var counts: [Finding.Outcome: Int] = [:]

    init(_ report: @escaping (Finding) -> Void) { self.report = report }

    func pass(_ subject: String, _ detail: String) { add(.passed, subject, detail) }
    func fail(_ subject: String, _ detail: String) { add(.failed, subject, detail) }
    func skip(_ subject: String, _ detail: String) { add(.skipped, subject, detail) }

    private func add(_ outcome: Finding.Outcome, _ subject: String, _ detail: String) {
        counts[outcome, default: 0] += 1
        report(Finding(outcome: outcome, subject: subject, detail: detail))
    }
}
