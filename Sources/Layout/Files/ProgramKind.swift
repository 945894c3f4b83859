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
        "xterm", "entr", "make", "gmake", "capsh",
    ]
    private static let interpreters: Set = [
        "python", "pypy", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "luajit", "tclsh", "wish",
        "awk", "gawk", "mawk", "nawk", "sed", "guile", "Rscript",
    ]
    private static let launchers: Set = [
        "env", "busybox", "toybox", "nice", "ionice", "setsid", "nohup", "timeout", "stdbuf", "chrt", "taskset",
        "setpriv",
        "sudo", "doas", "pkexec", "flock", "xargs", "unshare", "nsenter", "chroot", "systemd-run", "systemd-inhibit",
        "systemd-cat", "dbus-run-session", "dbus-launch", "time", "strace", "ltrace", "prlimit", "unbuffer",
        "start-stop-daemon", "firejail", "bwrap", "gosu", "linux32", "linux64", "setarch", "ld.so", "find",
        "xvfb-run", "cage", "exec",
    ]
}
