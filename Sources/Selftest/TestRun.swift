import ControlProtocol
import EventLoop
import Foundation
import Layout
import TouchKit

/// Tests on the kiosk itself whether touches reach the views of the layout; the integrator runs it after an
/// installation.
///
/// It checks what is installed and running. Then it creates a uinput touchscreen, plays fingers on it, and delivers
/// them to the layout in a separate application whose handlers do not run: nothing is started, sent, pressed or shown,
/// and the running service is not disturbed. Without uinput, the same events enter at the decoder, and a finding
/// reports that the kernel's part was not tested.
package final class TestRun {
    /// The options of a test.
    package nonisolated struct Options: Sendable {
        /// The layout; nil for the running service's, or otherwise the installed one.
        package var layout: String?
        /// The control socket of the running service.
        package var socket = ControlAddress.ofClient
        /// Whether to create a touchscreen through uinput.
        package var usesKernel = true
        /// Whether to report a finding for each view.
        package var isVerbose = false

        /// Creates the default options.
        package init() {}
    }

    /// The service's default layout.
    package nonisolated static let installedLayout = "/etc/touchd/touchd.yaml"

    private let options: Options
    private let loop: EpollRunLoop
    private let findings: Findings

    /// Creates a test; nothing is opened or read yet.
    ///
    /// - Parameters:
    ///   - loop: Reads the created touchscreen.
    ///   - report: Called with each finding immediately.
    package init(_ options: Options, loop: EpollRunLoop = .main, report: @escaping (Finding) -> Void) {
        self.options = options
        self.loop = loop
        findings = Findings(report)
    }

    /// The number of checks with an outcome.
    package func count(_ outcome: Finding.Outcome) -> Int { findings.counts[outcome] ?? 0 }

    /// Runs all checks; takes several seconds, and more for each screen of the layout.
    package func run() {
        let installation = InstallationCheck(findings)
        let status = installation.service(at: options.socket)
        let path = options.layout ?? status?.layout ?? Self.installedLayout
        let document = installation.layout(at: path, of: status)
        installation.devices(document?.devices ?? [], of: status)
        installation.journal()
        guard let document else {
            return findings.skip("touches", "no valid layout to deliver them to")
        }
        installation.programs(of: document)

        let kiosk = SimulatedKiosk(document)
        let fingers = Fingers(screen(for: kiosk))
        TouchScript(kiosk, fingers, findings, isVerbose: options.isVerbose).run()
        fingers.screen.unplug()
        kiosk.close()
        ForwardingTest(document, findings, loop: loop).run(usesKernel: fingers.screen.isReal)
    }

    private func screen(for kiosk: SimulatedKiosk) -> any TestScreen {
        guard options.usesKernel else {
            findings.skip("kernel", "not tested because of --in-process; touches start at the decoder")
            return LocalScreen(kiosk)
        }
        do {
            let screen = try KernelScreen(kiosk, loop: loop)
            findings.pass(
                "kernel", "created the touchscreen \(screen.node) through /dev/uinput; only this test reads it")
            return screen
        } catch {
            let detail = "\(error); touches start at the decoder"
            if error.isLackOfPermission { findings.skip("kernel", detail) } else { findings.fail("kernel", detail) }
            return LocalScreen(kiosk)
        }
    }
}
