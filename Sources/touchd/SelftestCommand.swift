import ArgumentParser
import CommandSupport
import Foundation
import Selftest

/// `touchd selftest`.
struct SelftestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selftest",
        abstract: "Test the installation on this kiosk.",
        discussion: """
            Checks the service, the layout, the devices, the journal and the programs of handlers. Then creates a touchscreen \
            through /dev/uinput, which requires root, and taps on it: the running service reports which views the finger \
            hits. No handler runs for it, nothing is logged or counted, and the program on the screen receives nothing. \
            Prints a line for each check; the exit status is 1 if one failed.
            """)

    @Option(
        name: [.customShort("l"), .long],
        help: ArgumentHelp("The layout (default: that of the running service).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var layout: String?

    @Flag(help: "Create no touchscreen, and skip the checks that need one.")
    var noTouchscreen = false

    @OptionGroup var control: ControlOptions

    func run() throws {
        let failures = MainActor.assumeIsolated {
            var options = TestRun.Options()
            options.layout = layout
            options.socket = control.socket
            options.usesKernel = !noTouchscreen
            let test = TestRun(options) { finding in
                print(finding.line)
                // The user waits for each line.
                fflush(nil)
            }
            test.run()
            print("\(test.count(.passed)) passed, \(test.count(.failed)) failed, \(test.count(.skipped)) skipped")
            return test.count(.failed)
        }
        if failures > 0 { throw ExitCode(1) }
    }
}
