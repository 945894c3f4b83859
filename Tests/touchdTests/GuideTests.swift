import Foundation
import Testing

@testable import TestSupport

/// README.md and the guides: each command is tested here or in the lab, or has a reason for not being tested; layouts
/// are checked, and links are followed.
@Suite struct Guides {
    @Test(
        "a guide's commands that need no kiosk print what the guide shows",
        arguments: GuideBlock.guides)
    func commandsRun(guide: String) throws {
        let blocks = try GuideBlock.blocks(of: guide)
        guard blocks.contains(where: { $0.path != nil || !$0.commandsHere.isEmpty }) else { return }
        let machine = try InstalledTouchd()

        for block in blocks {
            if let path = block.path { try machine.write(block.text, to: path) }
            for command in block.commandsHere {
                let outcome = try machine.run(command.words)
                #expect(outcome.status == 0, "\(command.place): \(outcome.errors)")
                if let output = command.output { #expect(outcome.output == output, "\(command.place)") }
            }
        }
    }

    @Test("a command not run here is in a lab script, is a make target, or has a reason")
    func commandsElsewhere() throws {
        for command in GuideCommand.all {
            switch command.elsewhere {
            case .inLab(let script):
                let text = try String(contentsOf: TouchdProgram.root.appending(path: script), encoding: .utf8)
                #expect(text.contains(command.words), "\(command.place): \(script) does not have it")
            case .target:
                let arguments = ["--dry-run"] + command.words.split(separator: " ").dropFirst().map(String.init)
                let outcome = try TouchdProgram.run(arguments, program: "/usr/bin/make")
                #expect(outcome.status == 0, "\(command.place): \(outcome.errors)")
            case .untried, nil: break
            }
        }
    }

    @Test("every exempted command is in a guide")
    func noneExcusedInVain() { #expect(GuideCommand.vain == []) }

    @Test(
        "every layout in a guide is valid and without warnings",
        arguments: GuideBlock.guides.filter { !GuideBlock.references.contains($0) })
    func layouts(guide: String) throws {
        let folder = try TemporaryFolder()
        for block in try GuideBlock.blocks(of: guide) where block.language == "yaml" {
            let outcome = try TouchdProgram.run("check", "--strict", folder.file("layout.yaml", block.text).path)
            #expect(outcome.status == 0, "\(guide):\(block.line): \(outcome.errors)\(outcome.output)")
        }
    }

    @Test("a part of a layout in a reference is valid except for names defined elsewhere")
    func parts() throws {
        let folder = try TemporaryFolder()
        for block in try GuideBlock.references.flatMap(GuideBlock.blocks(of:)) where block.language == "yaml" {
            let outcome = try TouchdProgram.run("check", folder.file("layout.yaml", block.wholeLayout).path)
            let complaints = (outcome.errors + outcome.output).split(separator: "\n").filter { line in
                line.contains(" error: ") && !GuideBlock.missingNames.contains { line.contains($0) }
            }
            #expect(complaints == [], "\(block.file):\(block.line)")
        }
    }

    @Test("every link to a page or a heading of the project is valid")
    func links() throws {
        for guide in GuideBlock.guides {
            let text = try String(contentsOf: TouchdProgram.root.appending(path: guide), encoding: .utf8)
            for match in text.matches(of: /\]\(([^)#\s]*)(?:#([^)\s]*))?\)/) where !match.output.1.contains("://") {
                let folder = URL(filePath: guide, relativeTo: TouchdProgram.root).deletingLastPathComponent()
                let target =
                    match.output.1.isEmpty
                    ? TouchdProgram.root.appending(path: guide)
                    : URL(filePath: String(match.output.1), relativeTo: folder)
                #expect(FileManager.default.fileExists(atPath: target.path), "\(guide): \(match.output.0)")
                guard let heading = match.output.2, target.pathExtension == "md" else { continue }
                let page = try String(contentsOf: target, encoding: .utf8)
                #expect(GuideBlock.anchors(of: page).contains(String(heading)), "\(guide): \(match.output.0)")
            }
        }
    }
}

/// touchd, installed by `make install` into a temporary folder for commands with absolute paths, and a working folder
/// beside touchd's sources.
private final class InstalledTouchd {
    private let root = InstalledRoot.newPath()

    init() throws {
        try InstalledRoot.make(at: root)
        let files = FileManager.default
        // The program of docs/tutorial.md, as its reader would build it.
        let program = URL(filePath: TouchdProgram.path).deletingLastPathComponent().appending(path: "example-museum")
        try files.createDirectory(atPath: "\(root)/kiosk/.build/debug", withIntermediateDirectories: true)
        try files.createDirectory(atPath: "\(root)/kiosk/Recordings", withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: "\(root)/touchd", withDestinationPath: TouchdProgram.root.path)
        try files.createSymbolicLink(
            atPath: "\(root)/kiosk/.build/debug/museum", withDestinationPath: program.path)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Writes a file that a guide asks its reader to write.
    func write(_ text: String, to path: String) throws {
        let file = URL(filePath: root).appending(path: "kiosk/\(path)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Runs a command in the folder; the temporary paths in its output are replaced by those of an installation.
    func run(_ words: String) throws -> TouchdProgram.Outcome {
        let here = ["/etc/touchd/", "/usr/share/doc/touchd/"].reduce(words) { $0.replacing($1, with: root + $1) }
        let outcome = try TouchdProgram.run(
            ["-euo", "pipefail", "-c", "cd '\(root)/kiosk'; \(here)"],
            environment: ["PATH": "\(root)/usr/bin:/usr/bin:/bin"],
            program: "/bin/bash")
        return TouchdProgram.Outcome(
            status: outcome.status, output: outcome.output.replacing(root, with: ""), errors: outcome.errors)
    }
}

extension GuideBlock {
    /// The commands that run here.
    fileprivate var commandsHere: [GuideCommand] { commands.filter { $0.elsewhere == nil } }

    /// Pages that show parts of layouts.
    fileprivate static let references = ["docs/handlers.md", "docs/layout.md"]

    /// The errors of `touchd check` for names that are defined elsewhere.
    fileprivate static let missingNames = [
        "no handler is named", "no page is named", "no screen is named", "no view has the id", "no gesture has the id",
        "unknown fact", "cannot include",
    ]

    /// A complete layout from a part: keys that a layout does not have are handlers, and gestures belong to a view.
    fileprivate var wholeLayout: String {
        let keys = [
            "screen", "screens", "include", "defaults", "devices", "on", "views", "pages", "handlers", "idle",
            "journal", "recording", "reload", "strict", "forward", "tuio", "mqtt", "watchdog", "version",
            "accommodations", "accessibility", "gestures",
        ]
        var text = self.text
        let first = lines.first { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != ":" }) } ?? "screen"
        if !keys.contains(first) { text = "handlers:\n" + lines.map { "  \($0)\n" }.joined() }
        if first == "gestures" { text = "views:\n  - frame: [0, 0, 9, 9]\n" + lines.map { "    \($0)\n" }.joined() }
        return first.hasPrefix("screen") && lines.contains { $0.hasPrefix("screen") }
            ? text : text + "screen: {size: [1920, 1080]}\n"
    }

    /// The anchors that GitHub creates from the headings of a page.
    fileprivate static func anchors(of page: String) -> Set<String> {
        Set(
            page.matches(of: /(?m)^#+ (.*)$/).map { match in
                match.output.1.lowercased().replacing(" ", with: "-").filter {
                    $0.isLetter || $0.isNumber || "-_".contains($0)
                }
            })
    }
}
