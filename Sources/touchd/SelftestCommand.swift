import ArgumentParser
import CommandSupport
import Foundation
import Selftest

/// `touchd selftest`.
struct SelftestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selftest",
        abstract: "Test on this kiosk that touches reach the layout's views.",
        discussion: """
            Checks the service, the layout, the devices and the journal. Then creates a touchscreen through /dev/uinput, \
            which requires root, and plays fingers on it: a tap on every view of every page, drags, several fingers, and \
            unplugging. The touches go to a copy of the layout whose handlers do not run; the running service and the \
            program on the screen receive nothing. Without permission, the same touches start at the decoder. Prints a line \
            for each check; the exit status is 1 if one failed.
            """)

    @Option(
        name: [.customShort("l"), .long],
        help: ArgumentHelp("The layout (default: that of the running service).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var layout: String?

    @Flag(help: "Create no touchscreen; touches start at the decoder.")
    var inProcess = false

    @Flag(name: .shortAndLong, help: "Print a line for each view, with the handlers that a tap would run.")
    var verbose = false

    @OptionGroup var control: ControlOptions

    func run() throws {
        let failures = MainActor.assumeIsolated {
            var options = TestRun.Options()
            options.layout = layout
            options.socket = control.socket
            options.usesKernel = !inProcess
            options.isVerbose = verbose
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
