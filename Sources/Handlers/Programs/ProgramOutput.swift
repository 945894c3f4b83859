import CLinux
import EventLoop
import Glibc

/// The output of one program, read line by line at a pace that leaves room in the journal for everything else.
///
/// A program that is faster waits in its own write, as for every slow reader of a pipe (pipe(7)). So one that writes
/// without end costs itself alone, and nothing that it wrote is lost, but for what waits when its time is over.
final class ProgramOutput {
    /// How many lines are taken at once, and then each second. Of 10,000 entries in 30 s, from where on journald drops those
    /// of a unit (journald.conf(5), RateLimitBurst=), a program without end takes 1,100.
    static let burst = 500.0, linesPerSecond = 20.0
    /// How long a line may be, in bytes; a longer one comes in pieces.
    static let lineLimit = 4096
    private static let pause = Duration.milliseconds(250)

    /// The program's standard output and standard error, until it was started; then -1.
    private(set) var programsEnd: Int32
    private let descriptor: Int32
    private let handler: String
    private let loop: EpollRunLoop
    private weak var log: (any ProgramLog)?
    private let didEnd: (ProgramOutput) -> Void

    private var process: pid_t = 0
    private var bytes: [UInt8] = []
    private var hasEnded = false
    /// How many lines may be taken now, and since when.
    private var allowance = ProgramOutput.burst
    private var counted = Deadline.now
    private var source: DescriptorSource?
    private var timer: RunLoopTimer?

    /// Makes a pipe for a program; nil where there is no descriptor left.
    ///
    /// - Parameter didEnd: Called when no process can write any more, or after `close()`.
    init?(of handler: String, log: any ProgramLog, loop: EpollRunLoop, didEnd: @escaping (ProgramOutput) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        (descriptor, programsEnd) = (ends[0], ends[1])
        // Only this end: the program must be able to wait.
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

    /// Begins to read, now that the program has its end.
    func follow(_ process: pid_t) {
        self.process = process
        Glibc.close(programsEnd)
        programsEnd = -1
        watch()
    }

    /// Reads the output that is there, as much as may be read at once.
    func takeRest() {
        while source != nil, read() {}
    }

    /// Takes what is there and reads no more: the program gets a broken pipe if it writes again.
    func close() {
        takeRest()
        end()
    }

    private func watch() {
        guard source == nil else { return }
        // After touches (0) and clients of the control socket (1).
        let source = DescriptorSource(name: "output of '\(handler)'", descriptor: descriptor, priority: 2) {
            [weak self] _ in _ = self?.read()
        }
        loop.add(source)
        self.source = source
    }

    /// Reads a piece and passes its lines on; answers whether there may be more.
    private func read() -> Bool {
        let old = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: Self.lineLimit))
        let count = bytes.withUnsafeMutableBytes {
            Glibc.read(descriptor, $0.baseAddress?.advanced(by: old), Self.lineLimit)
        }
        let failure = count < 0 ? errno : 0
        bytes.removeLast(Self.lineLimit - max(count, 0))
        if count == 0 || failure != 0 && failure != EAGAIN && failure != EINTR { hasEnded = true }
        passOn()
        return count > 0
    }

    /// Passes on the lines that were read, as far as they may be; waits with the rest.
    private func passOn() {
        let now = Deadline.now
        allowance = min(Self.burst, allowance + Self.linesPerSecond * ((now - counted) / .seconds(1)))
        counted = now
        var start = 0
        while let end = endOfLine(from: start) {
            guard allowance >= 1, log?.takesLines ?? true else {
                bytes.removeSubrange(..<start)
                return rest()
            }
            allowance -= 1
            write(bytes[start..<end])
            start = end
        }
        bytes.removeSubrange(..<start)
        if hasEnded { end() } else { watch() }
    }

    /// Where the line that begins at an index ends, its newline included; nil while its end is not there yet.
    private func endOfLine(from start: Int) -> Int? {
        let limit = min(start + Self.lineLimit, bytes.count)
        if let newline = bytes[start..<limit].firstIndex(of: UInt8(ascii: "\n")) { return newline + 1 }
        return limit - start == Self.lineLimit || hasEnded && limit > start ? limit : nil
    }

    private func rest() {
        source?.invalidate()
        source = nil
        let timer =
            timer
            ?? RunLoopTimer(name: "output of '\(handler)'", tolerance: .milliseconds(50)) { [weak self] _ in
                self?.passOn()
            }
        if self.timer == nil { loop.add(timer) }
        self.timer = timer
        timer.reschedule(after: Self.pause)
    }

    private func end() {
        source?.invalidate()
        source = nil
        timer?.invalidate()
        timer = nil
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
        while let last = line.last,
            last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") || last == UInt8(ascii: " ")
        {
            line.removeLast()
        }
        guard !line.isEmpty else { return }
        log?.write(
            ProgramLine(
                handler: handler, process: process, priority: priority, text: String(decoding: line, as: UTF8.self)))
    }
}
