import ArgumentParser
import CommandSupport
import EventLoop
import Foundation

/// `touchd inspect`: executes the program that serves the page, so that the daemon does not contain it.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: InspectOptions.abstract, discussion: InspectOptions.discussion)

    @OptionGroup var options: InspectOptions

    func run() throws {
        // Its arguments are those of touchd after the command's name.
        try CommandFailure.reporting {
            try InspectorProgram.become(CommandLine.arguments.drop { $0 != "inspect" }.dropFirst())
        }
    }
}

/// `touchd-inspect`, which is installed with touchd.
private enum InspectorProgram {
    private static let name = "touchd-inspect"

    /// Replaces this program with touchd-inspect, which keeps the process, terminal and streams (execve(2)); does not
    /// return.
    static func become(_ arguments: some Sequence<String>) throws -> Never {
        let path = try find()
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, &words)
        throw SystemError(call: "execv(\(path))", errno: errno)
    }

    /// The path of touchd-inspect: beside touchd in a build folder, or where `make install` puts it.
    private static func find() throws -> String {
        // Not argv[0], which may be a link or found in PATH.
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(filePath: program).deletingLastPathComponent()
        let places = [folder, folder.deletingLastPathComponent().appending(path: "libexec")].map {
            $0.appending(path: name).path
        }
        guard let path = places.first(where: { access($0, X_OK) == 0 }) else {
            throw UnavailableError(
                "\(name) is missing at \(places.joined(separator: " and at ")); install the package touchd-inspect, or run "
                    + "'make build' and 'make install'")
        }
        return path
    }
}

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
