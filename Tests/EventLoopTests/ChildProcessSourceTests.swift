import EventLoop
import Glibc
import Testing

@Suite("Child processes")
struct ChildProcessSourceTests {
    @Test(
        "the end of a child is reported once, and the child is reaped",
        arguments: [
            ("exit 0", EventLoop.ExitStatus.exited(0)), ("exit 7", .exited(7)), ("kill -KILL $$", .signalled(SIGKILL)),
        ])
    func ended(script: String, expected: EventLoop.ExitStatus) throws {
        let loop = try EpollRunLoop()
        let process = try shell(script)
        var seen: [EventLoop.ExitStatus] = []
        let source = try ChildProcessSource(process: process) { status in seen.append(status) }
        try loop.add(source)
        #expect(loop.run() == .finished)
        #expect(seen == [expected])
        #expect(waitpid(process, nil, WNOHANG) == -1)
        #expect(!source.descriptorSource.isValid)
    }

    @Test("a process that does not exist is rejected")
    func refused() throws {
        let process = try shell("exit 0")
        try #require(waitpid(process, nil, 0) == process)
        #expect(throws: SystemError(call: "pidfd_open(\(process))", errno: ESRCH)) {
            _ = try ChildProcessSource(process: process) { _ in }
        }
    }

    @Test("the end of a child is reported once although the process ignores SIGCHLD, which discards the status")
    func ignored() throws {
        let former = signal(SIGCHLD, SIG_IGN)
        defer { signal(SIGCHLD, former) }
        let loop = try EpollRunLoop()
        var seen: [EventLoop.ExitStatus] = []
        let process = try shell("exec sleep 600")
        let source = try ChildProcessSource(process: process) { status in seen.append(status) }
        try loop.add(source)
        // Not before: a child that has ended is gone at once, and no pidfd can be opened for it.
        kill(process, SIGKILL)
        var ended = pollfd(fd: source.descriptorSource.descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&ended, 1, -1) == 1)
        loop.run(until: .now)
        #expect(seen == [.unknown])
        #expect(loop.run(until: .now) == .finished)
    }

    private func shell(_ script: String) throws -> pid_t {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(script), nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        try #require(posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ) == 0)
        return process
    }
}
