import ArgumentParser
import Basics
import CommandSupport
import ControlProtocol
import Foundation
import Handlers
import Layout

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check layouts, and print each error with its place.",
        discussion: """
            Errors are printed as FILE:LINE:COLUMN: error: …, as many as possible in one run; some references to names \
            are checked only after other errors are fixed. The exit status is 0 for valid layouts, 65 for a layout with an \
            error, 66 for one that cannot be read. With --strict, warnings count as errors.

            With --running, checks the layout file of the running touchd, and that touchd has loaded it as it is now. It prints \
            a warning for each touchscreen that touchd does not forward although its rule has forward: true.
            """)

    @Argument(
        help: "The layouts to check (default: that of --layout).", completion: .file(extensions: ["yaml", "yml"]))
    var files: [String] = []

    @Flag(help: "Check the layout of the running touchd, and the forwarding of its touchscreens.")
    var running = false

    @Flag(help: "Treat warnings as errors: exit with status 65 for them too.")
    var strict = false

    @Flag(help: "Also say what keeps people with disabilities from using the kiosk (EN 301 549, WCAG).")
    var accessibility = false

    @Flag(help: "With --accessibility, print one page of HTML for paper, with a list of what to try at the kiosk.")
    var html = false

    @OptionGroup var layout: LayoutOption

    @OptionGroup var result: ResultOptions

    @OptionGroup var control: ControlOptions

    func validate() throws {
        try files.forEach(LayoutOption.requireFile)
        if layout.given != nil, !files.isEmpty {
            throw ValidationError("name the layouts without --layout, or one with it")
        }
        if running, !files.isEmpty || layout.given != nil {
            throw ValidationError("--running checks the running layout; remove the files")
        }
        if html, !accessibility || result.json || result.quiet || files.count > 1 {
            throw ValidationError("add --accessibility to --html, and name one layout, without --json and --quiet")
        }
        try control.require(running, "add --running, or remove it")
    }

    func run() throws {
        guard running else { return try check(files.isEmpty ? [layout.path] : files) }
        try control.run { connection in
            let report = try connection.status()
            if report.layout == nil, !result.json, !result.quiet {
                print("The running touchd has no layout file: its layout is built in code.")
            }
            try check(report.layout.map { [$0] } ?? [], of: report)
        }
    }

    /// - Parameter report: The state of the touchd that has loaded the file.
    private func check(_ files: [String], of report: StatusReport? = nil) throws {
        var status: Int32 = 0
        var checked: [CheckedLayout] = []
        let warnings = report?.devices.compactMap(\.forwardWarning) ?? []
        for file in files {
            do {
                let document = try LayoutDocument(
                    path: file, handlers: HandlerRegistry.builtinNames, foreignFiles: .warning)
                if let loaded = report?.layoutHash, loaded != document.fileHash {
                    let text =
                        "touchd runs another layout, hash \(loaded); this file, hash \(document.fileHash), is not loaded; "
                        + "run 'touchd reload', which says why"
                    throw LayoutError(.invalid, [LayoutFinding(.error, at: SourceLocation(file: file), text)])
                }
                let obstacles = accessibility ? AccessibilityCheck.findings(document) : []
                let findings = document.warnings + document.unusablePrograms + obstacles
                if html {
                    let warnings = document.warnings + obstacles
                    print(AccessibilityPage(document: document, file: file, findings: warnings).html, terminator: "")
                }
                guard !strict || findings.isEmpty else { throw LayoutError(.invalid, findings) }
                checked.append(
                    CheckedLayout(
                        file: file, isGood: true, findings: findings,
                        unknown: accessibility ? AccessibilityCheck.unknown(document) : nil))
                guard !result.json, !result.quiet, !html else { continue }
                for warning in findings { print(warning) }
                print("\(file): good; \(document.summary)")
                if accessibility, obstacles.isEmpty { print("\(file): nothing found against its accessibility") }
            } catch let error as LayoutError where result.json {
                checked.append(CheckedLayout(file: file, isGood: false, findings: error.diagnostics))
                status = max(status, CommandFailure.status(of: error).rawValue)
            } catch {
                status = max(status, CommandFailure.report(error).rawValue)
            }
        }
        if result.json { print(checked.jsonText(indented: true)) }
        let unknown = checked.compactMap(\.unknown).max { $0.count < $1.count }
        if let unknown, !result.json, !result.quiet, !html {
            print(
                "Clauses are those of \(AccessibilityCheck.edition), and criteria those of WCAG 2.2. A layout cannot tell:"
            )
            for item in unknown { print("- \(item)") }
        }
        // They are no findings of a layout.
        for warning in warnings where !result.quiet {
            if result.json { StandardError.write(line: warning) } else { print(warning) }
        }
        if status == 0, strict, !warnings.isEmpty { status = EX_DATAERR }
        if status != 0 { throw ExitCode(status) }
    }
}

/// A layout and its findings, for `--json`.
private struct CheckedLayout: JSONRecord {
    let file: String, isGood: Bool, findings: [LayoutFinding]
    /// Only for the check of accessibility.
    var unknown: [String]?

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("file", "the layout's path") { $0.file }
        visitor.member("good", "whether it can be used") { $0.isGood }
        visitor.member("findings", "errors or warnings") { $0.findings }
        visitor.member("unknown", "with --accessibility, what a layout cannot tell") { $0.unknown }
    }
}

extension StatusReport.Device {
    /// A warning if its touches are not forwarded although its rule has `forward`.
    fileprivate var forwardWarning: String? {
        guard use == .used, let forwardRemark else { return nil }
        return forward.map { "\(path): warning: \(name): its virtual touchscreen \($0) \(forwardRemark)" }
            ?? "\(path): warning: \(name) is not forwarded: \(forwardRemark)"
    }
}

extension LayoutDocument {
    /// A short summary of the layout.
    fileprivate var summary: String {
        screens.map { String(format: "%g \(Terminal.times) %g points", $0.size.width, $0.size.height) }.joined(
            separator: " and ")
            + ", views: \(viewCount), "
            + "handlers: \(handlers.count)" + (version.map { ", version \($0), hash \(fileHash)" } ?? "")
    }
}
