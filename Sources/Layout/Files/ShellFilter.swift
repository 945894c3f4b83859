import Foundation

/// Finds code in the command of an `exec` that a shell or an interpreter would read, and that may contain a name.
///
/// A program that publishes views names them, and as code a name such as `reboot` has a meaning. The list of programs
/// cannot be complete: it finds mistakes of a layout's author, who decides what runs.
nonisolated enum ShellFilter {
    /// The problem with a command, as a continuation of "'exec' of …", or nil.
    static func problem(in arguments: [Template]) -> String? {
        let words = arguments.map { $0.filled { "{\($0)}" } }
        // Numbers have no meaning in any code.
        let hasFacts = arguments.map { $0.factNames.contains { Fact(rawValue: $0)?.kind != .number } }
        let program = words.first.map(ProgramKind.init) ?? .other
        var startsPrograms = true
        for (index, word) in words.enumerated() {
            // After a program that starts no other program, `sh` is an ordinary argument.
            let kind = ProgramKind(word)
            let facts = hasFacts[(index + 1)...].contains(true)
            switch kind {
            case .shell where startsPrograms && facts:
                return
                    "passes touch data to the shell '\(word)', which could run it as code; make the script executable "
                    + "and name it as the program"
            case .shell where hasCode(words[(index + 1)...]):
                return
                    "is not allowed to run '\(word) -c': touch data could be run as shell code; put the commands into a "
                    + "script and run that"
            case .shellCaller where startsPrograms && (facts || hasCommandOption(words[(index + 1)...])),
                .launcher where startsPrograms && isLockingForShell(word, words[(index + 1)...]):
                return
                    "passes a text to a shell through '\(word)', which could run touch data as code; put the commands "
                    + "into a script and run that"
            case .interpreter where startsPrograms && hasFactsInCode(words, hasFacts, after: index),
                .other where startsPrograms && hasFactsInOption(words, hasFacts, after: index):
                return "passes touch data to '\(word)' as code; put the code into a file, and pass the data after it"
            case .launcher where startsPrograms && isSplitting(words[(index + 1)...]):
                return
                    "makes '\(word)' split a text, so a fact could become several arguments; write each argument separately"
            default: break
            }
            startsPrograms = startsPrograms && (program == .launcher || program == .shellCaller)
        }
        return nil
    }

    /// Whether a shell's options make it run a text: `-c`, also combined with others and after options with values.
    private static func hasCode(_ words: ArraySlice<String>) -> Bool {
        var words = words
        while let word = words.popFirst(), word.hasPrefix("-") || word.hasPrefix("+"), word != "--" {
            if word.hasPrefix("--") {
                if ["--command", "--init-command"].contains(where: word.hasPrefix) { return true }
                if ["--rcfile", "--init-file", "--emulate"].contains(word) { _ = words.popFirst() }
            } else if word.contains("c") || word.contains("C") {
                return true
            } else if word.contains("o") || word.contains("O") {
                _ = words.popFirst()
            }
        }
        return false
    }

    private static func hasCommandOption(_ words: ArraySlice<String>) -> Bool {
        words.contains { $0.hasPrefix("--command") || $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("c") }
    }

    /// Whether env(1) splits a text: `-S`, also combined with other options.
    private static func isSplitting(_ words: ArraySlice<String>) -> Bool {
        words.prefix { $0.hasPrefix("-") || $0.contains("=") }.contains {
            $0.hasPrefix("--split-string") || $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("S")
        }
    }

    /// Whether flock(1) gives a text to a shell: `-c` before the program, whose path is the second one.
    private static func isLockingForShell(_ program: String, _ words: ArraySlice<String>) -> Bool {
        guard program.split(separator: "/").last == "flock" else { return false }
        let second = words.indices.filter { words[$0].hasPrefix("/") }.dropFirst().first
        return hasCommandOption(words[..<(second ?? words.endIndex)])
    }

    /// Whether an option by which a program runs commands has facts.
    private static func hasFactsInOption(_ words: [String], _ hasFacts: [Bool], after index: Int) -> Bool {
        let options = codeOptions[String(words[index].split(separator: "/").last ?? "")] ?? []
        return hasFacts.indices.dropFirst(index + 1).contains { place in
            hasFacts[place] && options.contains { words[place].hasPrefix($0) || words[place - 1] == $0 }
        }
    }

    private static let codeOptions = [
        "git": ["-c", "--config-env"],
        "tar": [
            "--checkpoint-action", "--to-command", "-I", "--use-compress-program", "--rsh-command", "-F",
            "--info-script", "--new-volume-script",
        ],
    ]

    /// Whether the code that an interpreter reads from an argument contains facts.
    private static func hasFactsInCode(_ words: [String], _ hasFacts: [Bool], after index: Int) -> Bool {
        let options: Set = ["--eval", "--print", "--execute", "--expression", "--run"]
        for place in (index + 1)..<max(index + 1, words.count) where hasFacts[place] {
            let (option, word) = (words[place - 1], words[place])
            // Also combined with other options, as in `perl -we` and `python3 -Ic`.
            if options.contains(option) || option.wholeMatch(of: /-[A-Za-z]*[ceErp]/) != nil { return true }
            if options.contains(where: word.hasPrefix) || word.prefixMatch(of: /-[A-Za-z]*[ceErp]/) != nil {
                return true
            }
        }
        // awk and sed read their first argument as code unless an option names a file.
        let name = words[index].split(separator: "/").last ?? ""
        guard name.hasSuffix("awk") || name == "sed", !words.contains("-f"), !words.contains("--file") else {
            return false
        }
        return words[(index + 1)...].firstIndex { !$0.hasPrefix("-") }.map { hasFacts[$0] } ?? false
    }
}
