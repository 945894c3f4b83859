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

/// How a program uses its arguments, judging by its name.
///
/// The name is that of the path, or that of the file that links resolve to: `/bin/sh` is `dash`, and `/opt/player` may
/// be `bash`. A renamed copy, and a program that calls a shell without being known for it, are not detected.
package nonisolated enum ProgramKind: Equatable {
    /// A shell: an argument may be shell code.
    case shell
    /// It passes its arguments, joined or from an option, to a shell.
    case shellCaller
    /// It reads code in a language that is not a shell's, from a file or from an option.
    case interpreter
    /// It starts the program that its arguments name.
    case launcher
    /// Any other program.
    case other

    /// Classifies a program by its path or name.
    package init(_ path: String) {
        let names = [path] + (path.hasPrefix("/") ? [RealPath.of(path) ?? path] : [])
        self = names.lazy.map(Self.kind(of:)).first { $0 != .other } ?? .other
    }

    private static func kind(of path: String) -> ProgramKind {
        let name = String(path.split(separator: "/").last ?? "")
        // python3.11, perl5.36, lua5.4, bash-static, bash5
        let stem = String(name.prefix { $0.isLetter })
        for (kind, names) in [
            (ProgramKind.shell, shells), (.shellCaller, shellCallers), (.interpreter, interpreters),
            (.launcher, launchers),
        ] where names.contains(name) || names.contains(stem) && name.dropFirst(stem.count).allSatisfy(isVersion) {
            return kind
        }
        return name.hasSuffix("-static") ? kind(of: String(name.dropLast(7))) : .other
    }

    private static func isVersion(_ character: Character) -> Bool { character.isNumber || ".-".contains(character) }

    private static let shells: Set = [
        "sh", "ash", "bash", "rbash", "dash", "zsh", "rzsh", "ksh", "ksh93", "rksh", "mksh", "lksh", "oksh", "pdksh",
        "posh",
        "yash", "fish", "csh", "tcsh", "rc", "es", "elvish", "nu", "xonsh", "osh", "ysh", "pwsh",
    ]
    private static let shellCallers: Set = [
        "script", "su", "runuser", "sg", "watch", "ssh", "tmux", "screen", "parallel", "at", "batch", "expect", "socat",
        "xterm", "entr", "make", "gmake",
    ]
    private static let interpreters: Set = [
        "python", "pypy", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "luajit", "tclsh", "wish",
        "awk", "gawk", "mawk", "nawk", "sed", "guile", "Rscript",
    ]
    private static let launchers: Set = [
        "env", "busybox", "toybox", "nice", "ionice", "setsid", "nohup", "timeout", "stdbuf", "chrt", "taskset",
        "setpriv",
        "sudo", "doas", "pkexec", "flock", "xargs", "unshare", "nsenter", "chroot", "systemd-run", "systemd-inhibit",
        "systemd-cat", "dbus-run-session", "dbus-launch", "time", "strace", "ltrace", "prlimit", "capsh", "unbuffer",
        "start-stop-daemon", "firejail", "bwrap", "gosu", "linux32", "linux64", "setarch", "ld.so", "find",
        "xvfb-run", "cage", "exec",
    ]
}

nonisolated extension [String] {
    /// The files that a command executes, as far as its arguments show: its program, and if that is an interpreter or a
    /// launcher, also the first absolute path in its arguments.
    package var programFiles: [String] {
        guard let program = first else { return [] }
        guard ProgramKind(program) != .other, let next = dropFirst().firstIndex(where: { $0.hasPrefix("/") }) else {
            return [program]
        }
        return [program] + Array(self[next...]).programFiles
    }
}
