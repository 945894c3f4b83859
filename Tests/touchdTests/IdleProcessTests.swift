import Foundation
import Testing

@testable import TestSupport

/// An idle touchd: its threads and timers in /proc show that it sleeps, without waiting and counting.
@Suite struct IdleProcess {
    /// It uses no device, so that touches on this machine's screen do not affect the result.
    private static let layout = """
        screen: {size: [100, 100]}
        devices: [{match: {name: "*"}, ignore: true}]
        on: {began: log}
        """

    /// The system call of each thread, by proc_pid_syscall(5): its number and arguments, or one word outside a call. A
    /// thread that ends meanwhile is left out.
    private func calls(_ touchd: RunningTouchd) throws -> [[Substring]] {
        let tasks = touchd.systemFolder.appending(path: "task")
        return try FileManager.default.contentsOfDirectory(at: tasks, includingPropertiesForKeys: nil).compactMap {
            try? String(contentsOf: $0.appending(path: "syscall"), encoding: .utf8).split(separator: " ")
        }
    }

    /// The seconds until each armed timer descriptor fires, by proc_pid_fdinfo(5).
    private func timers(_ touchd: RunningTouchd) throws -> [Int] {
        let descriptors = touchd.systemFolder.appending(path: "fdinfo")
        return try FileManager.default.contentsOfDirectory(at: descriptors, includingPropertiesForKeys: nil).compactMap
        {
            guard let text = try? String(contentsOf: $0, encoding: .utf8),
                let value = text.firstMatch(of: /it_value: \((\d+), (\d+)\)/)
            else { return nil }
            return value.output.1 == "0" && value.output.2 == "0" ? nil : Int(value.output.1)
        }
    }

    /// Whether a call waits for a timer, or in `epoll_wait` without a timeout (the fourth argument), so that only its
    /// timers can wake it. The descriptor is the first argument of both.
    private func isAsleep(_ call: [Substring], _ touchd: RunningTouchd) -> Bool {
        guard call.count > 4, let descriptor = Int(call[1].dropFirst(2), radix: 16) else { return false }
        let link = touchd.systemFolder.appending(path: "fd/\(descriptor)").path
        let name = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        return name == "anon_inode:[timerfd]" || name == "anon_inode:[eventpoll]" && call[4] == "0xffffffff"
    }

    /// A touchd all of whose threads sleep like that.
    private func sleeping(_ layout: String = Self.layout, watchdog: Int? = nil) throws -> RunningTouchd {
        let touchd = try RunningTouchd(layout: layout, watchdog: watchdog, isLive: true)
        #expect(touchd.notifications(until: "READY=1").last?.contains("READY=1") == true)
        func areAsleep() throws -> Bool {
            let calls = try calls(touchd)
            return !calls.isEmpty && calls.allSatisfy { isAsleep($0, touchd) }
        }
        while try !areAsleep() { sched_yield() }
        return touchd
    }

    @Test("all threads of an idle touchd sleep without a timeout")
    func nothingToDo() throws {
        let touchd = try sleeping()
        // One timer detects changes of the clock, and would fire in a hundred years.
        #expect(try timers(touchd).allSatisfy { $0 > 1_000_000_000 })
    }

    @Test("with systemd's watchdog two timers are armed: ping and alarm")
    func watchdog() throws {
        let touchd = try sleeping(Self.layout + "\nwatchdog: {warn-after: 2000 s}\n", watchdog: 3_600_000_000)
        let near = try timers(touchd).filter { $0 < 1_000_000_000 }.sorted()
        try #require(near.count == 2)
        #expect((1..<800).contains(near[0]) && (1000..<2000).contains(near[1]))
    }

    @Test("all threads share one malloc arena")
    func arenas() throws {
        // LoopWatch is another thread.
        let touchd = try sleeping(watchdog: 3_600_000_000)
        #expect(try calls(touchd).count > 1)
        let maps = try String(contentsOf: touchd.systemFolder.appending(path: "maps"), encoding: .utf8)
        // An arena reserves 64 MB of addresses; the unused part is not readable or writable. No file is mapped there.
        let kept = maps.split(separator: "\n").compactMap { line -> UInt? in
            guard let range = line.firstMatch(of: /^([0-9a-f]+)-([0-9a-f]+) ---p 0+ 00:00 0/),
                let start = UInt(range.output.1, radix: 16), let end = UInt(range.output.2, radix: 16)
            else { return nil }
            return end - start
        }
        #expect(kept.allSatisfy { $0 < 32 << 20 })
    }
}
