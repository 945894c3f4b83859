import ArgumentParser
import CLinux
import CommandSupport
import EventLoop
import Foundation

/// `touchd inspect`: executes touchd-inspect, which serves the page, so that the daemon does not contain it.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: InspectOptions.abstract, discussion: InspectOptions.discussion)

    @OptionGroup var options: InspectOptions

    func run() throws {
        try CommandFailure.reporting {
            let path = try Self.program()
            // Its arguments are those of touchd after the command's name. It keeps the process, terminal and streams.
            let arguments = CommandLine.arguments.drop { $0 != "inspect" }.dropFirst()
            var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
            execv(path, &words)
            throw SystemError(call: "execv(\(path))", errno: errno)
        }
    }

    /// The path of touchd-inspect: beside touchd in a build folder, or where `make install` puts it.
    private static func program() throws -> String {
        let name = "touchd-inspect"
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
