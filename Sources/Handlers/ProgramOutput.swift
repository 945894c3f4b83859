import Basics
import CLinux
import EventLoop
import Glibc

/// The output of one program, read line by line at a limited rate that leaves room in the journal.
///
/// A faster program blocks in its own write, as with any slow reader of a pipe (pipe(7)). A program that writes
/// endlessly therefore delays only itself. No output is lost, except what is unread when its time is over.
final class ProgramOutput {
    /// The number of lines read at once, and then per second. journald drops the entries of a unit from 10,000 in 30 s
    /// on (journald.conf(5), RateLimitBurst=); an endless program uses 1,100 of them.
    static let burst = 500.0, linesPerSecond = 20.0
    /// The maximum length of a line in bytes; a longer line is split.
    static let lineLimit = 4096
    private static let pause = Duration.milliseconds(250)

    /// The program's standard output and standard error; -1 once it has started.
    private(set) var programsEnd: Int32
    private let descriptor: Int32
    private let handler: String
    private let loop: EpollRunLoop
    private weak var log: (any ProgramLog)?
    private let didEnd: (ProgramOutput) -> Void

    private var process: pid_t = 0
    private var lines = LineBuffer()
    private var hasEnded = false
    private var rate = TokenBucket(rate: ProgramOutput.linesPerSecond, capacity: ProgramOutput.burst)
    private var source: DescriptorSource?
    private var timer: RunLoopTimer?

    /// Creates a pipe for a program; nil if no descriptor is left.
    ///
    /// - Parameter didEnd: Called when no process can write any more, or after `close()`.
    init?(of handler: String, log: any ProgramLog, loop: EpollRunLoop, didEnd: @escaping (ProgramOutput) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        (descriptor, programsEnd) = (ends[0], ends[1])
        // Only this end: the program's writes must block.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        self.handler = handler
        self.log = log
        self.loop = loop
        self.didEnd = didEnd
    }

    isolated deinit {
        source?.invalidate()
        timer?.invalidate()
        Glibc.close(descriptor)
        if programsEnd >= 0 { Glibc.close(programsEnd) }
    }

    /// Starts reading, now that the program has its end of the pipe.
    func follow(_ process: pid_t) {
        self.process = process
        Glibc.close(programsEnd)
        programsEnd = -1
        watch()
    }

    /// Reads the waiting output, up to the limit for one read.
    func readRest() {
        while source != nil, read() {}
    }

    /// Reads the waiting output and stops: the program gets a broken pipe if it writes again.
    func close() {
        readRest()
        end()
    }

    private func watch() {
        guard source == nil else { return }
        // After touches (0) and clients of the control socket (1).
        source = try? loop.add(
            DescriptorSource(name: "output of '\(handler)'", descriptor: descriptor, priority: 2) { [weak self] _ in
                _ = self?.read()
            })
        if source == nil { rest() }
    }

    /// Reads a piece and passes its lines on; returns whether more output may be waiting.
    private func read() -> Bool {
        let count = lines.fill(Self.lineLimit) { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR {
            hasEnded = true
            lines.finish()
        }
        passOn()
        return count > 0
    }

    /// Passes on as many lines as the rate allows; the rest waits.
    private func passOn() {
        while lines.hasLine || lines.count >= Self.lineLimit {
            guard log?.hasRoom ?? true, rate.take() else { return rest() }
            if let line = lines.nextLine(limit: Self.lineLimit) { write(line) }
        }
        if hasEnded { end() } else { watch() }
    }

    private func rest() {
        source?.invalidate()
        source = nil
        timer = loop.add(
            RunLoopTimer(
                name: "output of '\(handler)'", after: Self.pause, tolerance: .milliseconds(50)
            ) { [weak self] _ in self?.passOn() })
    }

    private func end() {
        source?.invalidate()
        source = nil
        timer?.invalidate()
        didEnd(self)
    }

    private func write(_ line: ArraySlice<UInt8>) {
        var (line, priority) = (line, 6)
        if line.count > 3, line.first == UInt8(ascii: "<"), line[line.startIndex + 2] == UInt8(ascii: ">"),
            (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(line[line.startIndex + 1])
        {
            priority = Int(line[line.startIndex + 1] - UInt8(ascii: "0"))
            line = line.dropFirst(3)
        }
        while let last = line.last, last == UInt8(ascii: "\r") || last == UInt8(ascii: " ") { line.removeLast() }
        guard !line.isEmpty else { return }
        log?.write(
            ProgramLine(
                handler: handler, process: process, priority: priority, text: String(decoding: line, as: UTF8.self)))
    }
}
