import ControlProtocol
import EventLoop
import Foundation
import Layout
import TouchKit

/// Tries on the kiosk itself whether touches get where the layout says: what an integrator runs after installing.
///
/// It looks at what is installed and running, then makes a touchscreen through the kernel's uinput, plays fingers on it, and
/// delivers them to the layout in an application of its own, of which no handler runs: nothing is started, sent, pressed or
/// shown, and the running service is neither asked to do anything nor disturbed. Where uinput is not to be had, the same
/// events go from the decoder on through the same way, and a finding says that the kernel's part was not tried.
public final class TestRun {
    /// What is tested.
    public nonisolated struct Options: Sendable {
        /// The layout; nil for that of the running service, or else the installed one.
        public var layout: String?
        /// Where the running service listens.
        public var socket = ControlAddress.ofClient
        /// Whether a touchscreen is made through uinput.
        public var usesKernel = true
        /// Whether there is a finding for each view.
        public var isVerbose = false

        /// Makes the options of a test without options.
        public init() {}
    }

    /// The layout of a service that nobody told otherwise.
    public nonisolated static let installedLayout = "/etc/touchd/touchd.yaml"

    private let options: Options
    private let loop: EpollRunLoop
    private let findings: Findings

    /// Puts a test together; nothing is opened or read yet.
    ///
    /// - Parameters:
    ///   - loop: Reads the touchscreen that is made.
    ///   - report: Is called with each finding, as it is found.
    public init(_ options: Options, loop: EpollRunLoop = .main, report: @escaping (Finding) -> Void) {
        self.options = options
        self.loop = loop
        findings = Findings(report)
    }

    /// How many checks had an outcome.
    public func count(_ outcome: Finding.Outcome) -> Int { findings.counts[outcome] ?? 0 }

    /// Does everything; takes seconds, and a few more for each screen of the layout.
    public func run() {
        let installation = InstallationCheck(findings)
        let status = installation.service(at: options.socket)
        let path = options.layout ?? status?.layout ?? Self.installedLayout
        let document = installation.layout(at: path, of: status)
        installation.devices(document?.devices ?? [], of: status)
        installation.journal()
        guard let document else {
            return findings.skip("touches", "there is no layout to deliver them to")
        }
        installation.programs(of: document)

        let kiosk = DryKiosk(document)
        let fingers = Fingers(screen(for: kiosk))
        TouchScript(kiosk, fingers, findings, isVerbose: options.isVerbose).run()
        fingers.screen.unplug()
        kiosk.close()
    }

    private func screen(for kiosk: DryKiosk) -> any TestScreen {
        guard options.usesKernel else {
            findings.skip("kernel", "not asked for; touches begin at the decoder")
            return LocalScreen(kiosk)
        }
        do {
            let screen = try KernelScreen(kiosk, loop: loop)
            findings.pass("kernel", "made a touchscreen through /dev/uinput, \(screen.node), read by this test alone")
            return screen
        } catch {
            let detail = "\(error); touches begin at the decoder"
            if error.isLackOfPermission { findings.skip("kernel", detail) } else { findings.fail("kernel", detail) }
            return LocalScreen(kiosk)
        }
    }
}
