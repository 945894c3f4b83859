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
