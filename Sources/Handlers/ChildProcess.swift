import CLinux
import EventLoop
import Foundation

/// `posix_spawn` for the children of a daemon.
package enum ChildProcess {
    /// Starts a program of the system, whose standard error is this process's.
    package static func start(_ arguments: [String], output: Int32) throws -> pid_t {
        let program = try OpenedProgram(ProgramCommand(arguments: arguments), isStrict: false)
        return try spawn(program, environment: [], output: output, errors: STDERR_FILENO)
    }

    /// Starts a program that was opened and checked.
    ///
    /// The child reads `input`, or `/dev/null` without it, writes to `output` and `errors`, and inherits no other descriptor. It has no blocked or ignored
    /// signals, leads its own process group, and does not inherit the variables by which touchd reports to systemd.
    ///
    /// - Parameters:
    ///   - output: The child's standard output.
    ///   - errors: Its standard error; nil for `output`.
    ///   - passed: A descriptor that is the child's descriptor 3; nil for none.
    static func spawn(
        _ program: OpenedProgram, environment: [String], input: String? = nil, output: Int32 = STDERR_FILENO,
        errors: Int32? = nil, passing passed: Int32? = nil
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        try check(posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init")
        defer { posix_spawn_file_actions_destroy(&actions) }
        let inputFile = try input.map(file(containing:))
        defer { if let inputFile { close(inputFile) } }
        if inputFile == nil {
            try check(
                posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
                "posix_spawn_file_actions_addopen")
        }
        let first = STDERR_FILENO + 1
        // Not touchd's own standard output, which may carry lines for another program.
        let streams = [
            (inputFile, STDIN_FILENO), (output, STDOUT_FILENO), (errors ?? output, STDERR_FILENO), (passed, first),
        ]
        for case (let own?, let stream) in streams {
            try check(posix_spawn_file_actions_adddup2(&actions, own, stream), "posix_spawn_file_actions_adddup2")
        }
        // Except the folder from which the program is executed; that descriptor closes on execution (O_CLOEXEC).
        for descriptor in (first + (passed == nil ? 0 : 1))..<program.file.folder {
            try check(posix_spawn_file_actions_addclose(&actions, descriptor), "posix_spawn_file_actions_addclose")
        }
        try check(
            posix_spawn_file_actions_addclosefrom_np(&actions, program.file.folder + 1),
            "posix_spawn_file_actions_addclosefrom_np")

        var attributes = posix_spawnattr_t()
        try check(posix_spawnattr_init(&attributes), "posix_spawnattr_init")
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        try check(posix_spawnattr_setsigmask(&attributes, &none), "posix_spawnattr_setsigmask")
        try check(posix_spawnattr_setsigdefault(&attributes, &all), "posix_spawnattr_setsigdefault")
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        try check(posix_spawnattr_setflags(&attributes, Int16(flags)), "posix_spawnattr_setflags")

        let argv = CStringArray(program.arguments)
        let envp = CStringArray(inheritedEnvironment + environment)
        var process: pid_t = 0
        try check(
            posix_spawn(
                &process, "/proc/self/fd/\(program.file.folder)/\(program.file.name)", &actions, &attributes,
                argv.pointers, envp.pointers), "posix_spawn")
        return process
    }

    /// A file in memory with a text: unlike a pipe it has room for all of it, and another user may open it again as
    /// `/dev/stdin`.
    private static func file(containing text: String) throws(SystemError) -> Int32 {
        let file = memfd_create("touchd-input", UInt32(memfd_cloexec))
        let bytes = Array(text.utf8)
        // The offset stays at the beginning.
        guard file >= 0, pwrite(file, bytes, bytes.count, 0) == bytes.count else {
            let error = SystemError(call: "memfd_create", errno: errno)
            if file >= 0 { close(file) }
            throw error
        }
        return file
    }

    // Read once, because it does not change while touchd runs.
    private static let inheritedEnvironment = inherited(from: ProcessInfo.processInfo.environment)

    /// The part of touchd's environment that a child inherits, as `NAME=value`.
    static func inherited(from environment: [String: String]) -> [String] {
        let ours: Set = [
            "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
        ]
        // With two variables of one name a program sees the first, so facts from touchd's own environment must not be
        // inherited.
        return environment.filter { !ours.contains($0.key) && !$0.key.hasPrefix("TOUCHD_") }.map {
            "\($0.key)=\($0.value)"
        }
    }

    private static func check(_ result: Int32, _ call: String) throws(SystemError) {
        guard result == 0 else { throw SystemError(call: call, errno: result) }
    }
}

/// Strings as the null-terminated array of C strings that `posix_spawn` takes, freed with the object.
private nonisolated final class CStringArray {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

    deinit { for pointer in pointers { free(pointer) } }
}
