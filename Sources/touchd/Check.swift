import ArgumentParser
import CommandSupport
import Foundation
import Handlers
import Layout

/// `touchd check`.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check layouts, and print each error with its place.",
        discussion: """
            Errors are printed as FILE:LINE:COLUMN: error: …, as many as possible in one run; references to names are \
            checked after all other errors are fixed. The exit status is 0 for valid layouts, 65 for a layout with an \
            error, 66 for one that cannot be read. With --strict, warnings count as errors.
            """)

    @Argument(help: "The layouts to check.", completion: .file(extensions: ["yaml", "yml"]))
    var files: [String]

    @Flag(help: "Treat warnings as errors: exit with status 65 for them too.")
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
            + "handlers: \(handlers.count)" + (version.map { ", version \($0), hash \(fileHash)" } ?? "")
    }
}
