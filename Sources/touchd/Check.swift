import ArgumentParser
import CommandSupport
import Foundation
import Handlers
import Layout

/// `touchd check`.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is wrong with a layout, and where.",
        discussion: """
            Every mistake is reported as FILE:LINE:COLUMN: error: …, all that can be seen in one run; what names refer to \
            is looked at once the rest is right. The exit status is 0 for layouts that can be used, 65 for one with a \
            mistake, 66 for one that cannot be read. With --strict a warning is a mistake.
            """)

    @Argument(help: "The layouts to check.", completion: .file(extensions: ["yaml", "yml"]))
    var files: [String]

    @Flag(help: "Take no layout that is warned of: exit with 65 for that too.")
    var strict = false

    func run() throws {
        var status: Int32 = 0
        for file in files {
            do {
                let document = try LayoutDocument(
                    path: file, handlers: HandlerRegistry.builtinNames, foreignFiles: .warning)
                let findings = document.warnings + document.unusablePrograms
                guard !strict || findings.isEmpty else { throw LayoutError(.invalid, findings) }
                for warning in findings { print(warning) }
                print("\(file): good; \(document.summary)")
            } catch {
                status = max(status, CommandFailure.report(error).rawValue)
            }
        }
        if status != 0 { throw ExitCode(status) }
    }
}

extension LayoutDocument {
    /// A short summary of the layout.
    fileprivate var summary: String {
        screens.map { String(format: "%g × %g points", $0.size.width, $0.size.height) }.joined(separator: " and ")
            + ", views: \(viewCount), "
            + "handlers: \(handlers.count)"
    }
}
