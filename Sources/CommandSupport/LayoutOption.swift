import ArgumentParser
import Foundation

/// The layout of a command: one option with one default, everywhere.
package struct LayoutOption: ParsableArguments {
    /// The layout of the service.
    package static let installed = "/etc/touchd/touchd.yaml"

    @Option(
        name: [.customShort("l"), .customLong("layout")], help: .file("The layout (default: \(installed))."),
        completion: .file(extensions: ["yaml", "yml"]))
    package var given: String?

    package init() {}

    package func validate() throws { try given.map(Self.requireFile) }

    /// Throws if the path of a layout is standard input.
    package static func requireFile(_ path: String) throws {
        guard path != "-" else {
            throw ValidationError(
                "a layout must be a file, because it names files in its folder; save it, and name the file")
        }
    }

    /// The layout that the command reads.
    package var path: String { given ?? Self.installed }

    /// The layout of a command that needs none: without the option the installed one, if it exists.
    package var ifAny: String? {
        given ?? (FileManager.default.isReadableFile(atPath: Self.installed) ? Self.installed : nil)
    }
}
