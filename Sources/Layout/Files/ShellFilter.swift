import Foundation

/// Finds shell code in the command of an `exec`.
///
/// A device's maker controls facts such as the device's name, and quotes do not contain such a fact in text that a
/// shell reads.
nonisolated enum ShellFilter {
    /// The problem with a command, as a continuation of "'exec' of …", or nil.
    static func problem(in arguments: [Template]) -> String? {
        let words = arguments.map { $0.filled { "{\($0)}" } }
        let hasFacts = arguments.map { !$0.factNames.isEmpty }
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
            case .shellCaller where startsPrograms && (facts || hasCommandOption(words[(index + 1)...])):
                return
                    "passes a text to a shell through '\(word)', which could run touch data as code; put the commands "
                    + "into a script and run that"
            case .interpreter where startsPrograms && hasFactsInCode(words, hasFacts, after: index):
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

    /// Whether the code that an interpreter reads from an argument contains facts.
    private static func hasFactsInCode(_ words: [String], _ hasFacts: [Bool], after index: Int) -> Bool {
        let options: Set = ["-c", "-e", "-E", "-r", "-p", "--eval", "--print", "--execute", "--expression", "--run"]
        for place in (index + 1)..<max(index + 1, words.count) where hasFacts[place] {
            if options.contains(words[place - 1]) || options.contains(where: { words[place].hasPrefix($0) }) {
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
