import ArgumentParser
import CommandSupport
import Foundation
import Selftest

/// `touchd selftest`.
struct SelftestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selftest",
        abstract: "Try on this kiosk whether touches get where the layout says.",
        discussion: """
            Looks at the service, the layout, the devices and the journal, then makes a touchscreen through /dev/uinput, \
            which only root may, and plays fingers on it: a tap on every view of every page, drags, several fingers, a \
            screen that is unplugged. They are delivered here, to a layout of which no handler runs; the running service \
            and the program that draws the screen notice nothing. Without permission the same touches begin at the \
            decoder. A line says of each check whether it passed; the exit status is 1 where one failed.
            """)

    @Option(
        name: [.customShort("l"), .long],
        help: ArgumentHelp("The layout; without it that of the running service.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var layout: String?

    @Flag(help: "Make no touchscreen; touches begin at the decoder.")
    var inProcess = false

    @Flag(name: .shortAndLong, help: "A line for each view, with the handlers that a tap would run.")
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
            print("\(test.count(.passed)) passed, \(test.count(.failed)) failed, \(test.count(.skipped)) not tried")
            return test.count(.failed)
        }
        if failures > 0 { throw ExitCode(1) }
    }
}
