@testable import ControlProtocol
import Basics
import EventLoop
import Foundation
import Testing

@testable import Outputs
@testable import Service

/// Standard streams to a pipe, a socket or a file.
@Suite("A standard stream") struct StandardStreamTests {
    private let loop: EpollRunLoop

    init() throws { loop = try EpollRunLoop() }

    /// Two ends of a pipe or a socket: the stream's and its reader's.
    enum Channel: CaseIterable {
        case pipe, socket

        func open() -> (written: Int32, read: Int32) {
            var ends: [Int32] = [0, 0]
            switch self {
            case .pipe:
                Foundation.pipe(&ends)
                return (ends[1], ends[0])
            case .socket:
                socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
                return (ends[0], ends[1])
            }
        }
    }

    private func drain(_ descriptor: Int32) -> String {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        while case let count = read(descriptor, &bytes, bytes.count), count > 0 { text += bytes[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    @Test("in a service each line on standard error has error priority in journald")
    func errors() { #expect(StandardError.asErrors("a\nb") == "<3>a\n<3>b") }

    @Test(
        "live touches: a slow reader blocks nobody and gets a notice of missing lines",
        arguments: Channel.allCases)
    func live(channel: Channel) throws {
        let (written, reader) = channel.open()
        defer {
            close(written)
            close(reader)
        }
        let stream = StandardStream(
            descriptor: written, loop: loop, notice: { "\($0) missing" }, onEnd: { _ in })
        let lines = (0..<20_000).map { "line \($0), which is about as long as a touch is when it is written as JSON" }
        for line in lines { stream.append(line: line) }
        stream.flush()
        #expect(stream.droppedCount > 0)
        // The stream is shared with the process that started touchd, and must not change.
        #expect(fcntl(written, F_GETFL) & O_NONBLOCK == 0)

        var text = ""
        while !text.contains("missing") {
            text += drain(reader)
            loop.run(until: .now)
        }
        stream.append(line: "after")
        stream.flush()
        text += drain(reader)
        let read = text.split(separator: "\n").map(String.init)
        let kept = lines.count - stream.droppedCount
        #expect(read == Array(lines.prefix(kept)) + ["\(stream.droppedCount) missing", "after"])
    }

    @Test("live touches: a loop that never sleeps writes in each pass")
    func busyLoop() throws {
        let (written, reader) = Channel.pipe.open()
        defer {
            close(written)
            close(reader)
        }
        let stream = StandardStream(descriptor: written, loop: loop, notice: { _ in "" }, onEnd: { _ in })
        let flush = stream.flushFromLoop()
        defer { flush.invalidate() }
        var read: [String] = []
        var work: SignalledSource?
        let source = SignalledSource(name: "work") { [loop] in
            read.append(drain(reader))
            stream.append(line: "pass \(read.count)")
            if read.count < 4 { work?.signal() } else { loop.stop() }
        }
        work = source
        loop.add(source)
        source.signal()

        loop.run()

        work = nil
        #expect(read == ["", "pass 1\n", "pass 2\n", "pass 3\n"])
    }

    @Test(
        "recording: the writer is asked to pause and to continue, and no line is lost", arguments: Channel.allCases
    )
    func recording(channel: Channel) throws {
        let (written, reader) = channel.open()
        defer {
            close(written)
            close(reader)
        }
        var backlog: [Bool] = []
        let stream = StandardStream(
            descriptor: written, loop: loop, notice: { _ in "" }, onBacklog: { backlog.append($0) }, onEnd: { _ in })
        for number in 0..<20_000 { stream.append(line: "line \(number) of a recording") }
        var isWritten = false
        stream.whenWritten { isWritten = true }
        #expect(!isWritten && backlog == [true])

        var text = ""
        while !isWritten {
            text += drain(reader)
            loop.run(until: .now)
        }
        text += drain(reader)
        #expect(backlog == [true, false])
        #expect(text.split(separator: "\n").count == 20_000)
        #expect(stream.droppedCount == 0)
    }

    /// A full disk would need root; a limit of a file's size fails writes the same way (EFBIG).
    @Test("live touches: lines that a full disk does not take are dropped, and a notice stands where they are missing")
    func outage() async {
        // In a separate process, because the limit holds for a whole process.
        await #expect(processExitsWith: .success) {
            try await MainActor.run {
                WriteSignals.ignore()
                let path = FileManager.default.temporaryDirectory.appending(path: "outage").path
                let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
                defer {
                    close(file)
                    unlink(path)
                }
                func limit(_ bytes: UInt) {
                    var limit = rlimit(rlim_cur: bytes, rlim_max: .max)
                    #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                }
                var outages: [Int32] = []
                let stream = StandardStream(
                    descriptor: file, loop: try EpollRunLoop(), notice: { "\($0) missing" }, retryDelay: .zero,
                    onOutage: { outages.append($0.errno) }, onEnd: { _ in Issue.record("it has ended") })
                limit(10)
                for line in ["first", "second", "third", "fourth"] {
                    stream.append(line: line)
                    stream.flush()
                }
                #expect(outages == [EFBIG])
                #expect(stream.droppedCount == 3)
                limit(.max)
                stream.append(line: "fifth")
                stream.flush()
                #expect(try String(contentsOfFile: path, encoding: .utf8) == "first\nseco\n3 missing\nfifth\n")
                #expect(stream.droppedCount == 3)
                limit(1)
                stream.append(line: "sixth")
                stream.flush()
                limit(.max)
                stream.finish()
                #expect(try String(contentsOfFile: path, encoding: .utf8).hasSuffix("fifth\n1 missing\n"))
            }
        }
    }

    @Test("standard error has no end: after any failure the next line is tried")
    func log() {
        let stream = StandardStream(
            descriptor: open(#filePath, O_RDONLY), loop: loop, notice: { "\($0) missing" }, retryDelay: .zero,
            onEnd: nil)
        for _ in 0..<3 {
            stream.append(line: "x")
            stream.flush()
        }
        #expect(stream.droppedCount == 3)
    }

    @Test("a closed reader ends it without an error, for a recording a full disk with one, and only once")
    func ends() throws {
        var ends: [SystemError?] = []
        // A socket, because a pipe stays open while a program that another test starts holds a copy.
        let (written, reader) = Channel.socket.open()
        let earlier = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, earlier) }
        let stream = StandardStream(
            descriptor: written, loop: loop, notice: { _ in "" }, onEnd: { ends.append($0) })
        shutdown(reader, Int32(SHUT_RDWR))
        close(reader)
        for _ in 0..<3 {
            stream.append(line: "x")
            stream.flush()
        }
        #expect(ends == [nil])

        let full = open("/dev/full", O_WRONLY)
        let disk = StandardStream(
            descriptor: full, loop: loop, notice: { _ in "" }, onBacklog: { _ in }, onEnd: { ends.append($0) })
        disk.append(line: "x")
        disk.flush()
        #expect(ends.last??.errno == ENOSPC)
        close(full)
        close(written)
    }
}
