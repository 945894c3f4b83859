import Foundation

/// A fenced block of a guide: commands, a layout, output.
struct GuideBlock {
    /// README.md and the pages for integrators and contributors.
    static let guides = [
        "README.md", "docs/README.md", "CONTRIBUTING.md", "docs/install.md", "docs/screen.md", "docs/not-reacting.md",
        "docs/logging.md", "docs/accessibility.md",
        "docs/upgrade.md", "docs/fleet.md", "docs/handlers.md", "docs/layout.md", "docs/first-layout.md",
        "docs/tutorial.md", "docs/raspberry-pi.md", "docs/web.md",
    ]

    /// The guide's path in the project's folder.
    let file: String
    /// The number of its first line in the guide.
    let line: Int
    /// The language after the opening fence.
    let language: String
    /// The file that the reader must write, named above the block: **`FILE`**.
    let path: String?
    let lines: [String]

    var text: String { lines.map { "\($0)\n" }.joined() }

    /// The blocks of a guide in order; blocks inside lists have their indentation removed.
    static func blocks(of file: String) throws -> [GuideBlock] {
        let text = try String(contentsOf: TouchdProgram.root.appending(path: file), encoding: .utf8)
        var blocks: [GuideBlock] = []
        var fence: (indent: String, language: String, line: Int, lines: [String])?
        var path: String?
        for (number, line) in text.components(separatedBy: "\n").enumerated() {
            let bare = line.drop { $0 == " " }
            if let open = fence {
                if bare == "```" {
                    blocks.append(
                        GuideBlock(
                            file: file, line: open.line, language: open.language, path: path, lines: open.lines))
                    fence = nil
                    path = nil
                } else {
                    fence?.lines.append(line.hasPrefix(open.indent) ? String(line.dropFirst(open.indent.count)) : line)
                }
            } else if bare.hasPrefix("```") {
                fence = (String(line.prefix { $0 == " " }), String(bare.dropFirst(3)), number + 2, [])
            } else if !bare.isEmpty {
                path = bare.wholeMatch(of: /\*\*`([^`]+)`\*\*/).map { String($0.output.1) }
            }
        }
        return blocks
    }

    /// The commands in the block: each line of `sh`, and in a block with `$ ` prompts each prompt line with its output.
    var commands: [GuideCommand] {
        if language == "sh" {
            return lines.enumerated().filter { !$1.allSatisfy(\.isWhitespace) }.map { number, line in
                GuideCommand(line, file: file, line: self.line + number, output: nil)
            }
        }
        guard lines.first?.hasPrefix("$ ") == true else { return [] }
        var commands: [GuideCommand] = []
        for (number, line) in lines.enumerated() {
            if line.hasPrefix("$ ") {
                commands.append(
                    GuideCommand(String(line.dropFirst(2)), file: file, line: self.line + number, output: ""))
            } else {
                commands[commands.count - 1].output?.append("\(line)\n")
            }
        }
        return commands
    }
}

/// A command that a guide gives its reader.
struct GuideCommand {
    /// The command without `sudo` and without its trailing comment.
    let words: String
    /// Its output, if the guide shows it.
    var output: String?
    /// The guide that contains it.
    let file: String
    /// Its location, in the form of compiler messages.
    let place: String

    init(_ text: String, file: String, line: Int, output: String?) {
        let command = text.firstRange(of: /\s+# .*$/).map { String(text[..<$0.lowerBound]) } ?? text
        words = command.hasPrefix("sudo ") ? String(command.dropFirst(5)) : command
        self.output = output
        self.file = file
        place = "\(file):\(line)"
    }

    /// All commands of all guides.
    static let all = (try? GuideBlock.guides.flatMap { try GuideBlock.blocks(of: $0).flatMap(\.commands) }) ?? []
}
