import CLinux
import Dispatch
import EventLoop
import Foundation
import TouchKit

/// Runs one scenario on the main thread's loop and prints the events, one per line.
@main
struct MainLoopProbe {
    static func main() {
        let scenarios = [
            "dispatch": dispatchAndTasks,
            "foundation": foundation,
            "isolation": isolation,
            "nested": nested,
            "modes": modes,
            "descriptors": descriptors,
            "signals": signals,
        ]
        guard let name = CommandLine.arguments.dropFirst().first, let scenario = scenarios[name] else {
            print("usage: MainLoopProbe \(scenarios.keys.sorted().joined(separator: "|"))")
            exit(2)
        }
        scenario()
    }

    /// Main-queue blocks, a main-actor task that awaits, and a block from another thread all run on the loop.
    static func dispatchAndTasks() {
        let loop = EpollRunLoop.main
        DispatchQueue.main.async { print("block") }
        Task {
            print("task")
            try? await Task.sleep(for: .milliseconds(1))
            print("task resumed")
            await Task.yield()
            DispatchQueue.global().async {
                DispatchQueue.main.async { MainActor.assumeIsolated { EpollRunLoop.main.stop() } }
            }
        }
        print(loop.run())
    }

    /// Foundation's main run loop has a part in an application's loop: its blocks and timers, also those that they add.
    static func foundation() {
        RunLoop.main.perform {
            print("block")
            _ = Timer.scheduledTimer(withTimeInterval: 0.002, repeats: true) { timer in
                print("timer")
                RunLoop.main.perform { MainActor.assumeIsolated { EpollRunLoop.main.stop() } }
                timer.invalidate()
            }
        }
        print(Application.shared.run(on: .main))
    }

    static var calls: [String] = []

    /// Closures written in main-actor code need no annotation, and are on the main actor when they run.
    static func isolation() {
        let loop = EpollRunLoop.main
        let timer = RunLoopTimer(name: "timer") { _ in
            MainActor.assumeIsolated { calls.append("timer") }
            EpollRunLoop.main.stop()
        }
        loop.add(timer)
        let descriptor = eventfd(1, Int32(EFD_CLOEXEC))
        let source = DescriptorSource(name: "descriptor", descriptor: descriptor) { _ in
            MainActor.assumeIsolated { calls.append("descriptor") }
            var value: eventfd_t = 0
            eventfd_read(descriptor, &value)
            timer.reschedule(after: .zero)
        }
        do { try loop.add(source) } catch { return print(error) }
        let signalled = SignalledSource(name: "signalled") {
            MainActor.assumeIsolated { calls.append("signalled") }
        }
        loop.add(signalled)
        signalled.signal()
        loop.add(
            RunLoopObserver(activities: .entry) { _ in MainActor.assumeIsolated { calls.append("observer") } })
        loop.perform { MainActor.assumeIsolated { calls.append("block") } }
        print(loop.run())
        print(calls.joined(separator: " "))
    }

    /// A loop nested in a source's callback drains the main queue. Nested in a block of the queue it does not, and the
    /// queue's new blocks run afterwards.
    static func nested() {
        let loop = EpollRunLoop.main
        let source = SignalledSource(name: "outer") {
            DispatchQueue.main.async {
                print("block in a nested run")
                MainActor.assumeIsolated { EpollRunLoop.main.stop() }
            }
            print("nested in a source:", EpollRunLoop.main.run())
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    DispatchQueue.main.async {
                        print("late block")
                        MainActor.assumeIsolated { EpollRunLoop.main.stop() }
                    }
                    print("nested in the queue:", EpollRunLoop.main.run(until: .after(.milliseconds(5))))
                }
            }
        }
        loop.add(source)
        source.signal()
        print(loop.run())
    }

    /// The main queue is in the common modes: a run in another mode does not drain it, and it is drained afterwards.
    static func modes() {
        let loop = EpollRunLoop.main
        let mode = EpollRunLoop.Mode("alone")
        loop.add(
            RunLoopTimer(name: "end", after: .milliseconds(2)) { _ in
                print("timer")
                EpollRunLoop.main.stop()
            }, to: mode)
        DispatchQueue.main.async {
            print("block")
            MainActor.assumeIsolated { EpollRunLoop.main.stop() }
        }
        print(loop.run(mode: mode))
        print(loop.run(mode: .tracking))
    }

    /// Prints every descriptor of the loop that a program started from here would inherit. The loop's are anonymous inodes. A
    /// thread of libdispatch may have a file open at that moment: it reads the states of its threads from /proc every second.
    static func descriptors() {
        let before = inheritable
        let loop = EpollRunLoop.main
        do {
            let signals = try UnixSignalSource(signals: [SIGUSR1]) { _ in }
            let child = try ChildProcessSource(process: spawnChild()) { _ in EpollRunLoop.main.stop() }
            let files = try FileWatchSource { _ in }
            try files.watch("/")
            try loop.add(signals)
            try loop.add(files)
            try loop.add(child)
            Task { try? await Task.sleep(for: .milliseconds(1)) }
            loop.run()
        } catch {
            print(error)
        }
        for descriptor in inheritable.subtracting(before).sorted() {
            // A descriptor that is closed by now was not the loop's.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            if let target, target.hasPrefix("anon_inode:") { print("inherited:", target) }
        }
        print("done")
    }

    private static var inheritable: Set<Int32> { Set((0..<1024).filter { fcntl($0, F_GETFD) == 0 }) }

    /// A signal sent to the process reaches the loop, even after libdispatch has started threads.
    static func signals() {
        do {
            let loop = EpollRunLoop.main
            let source = try UnixSignalSource(signals: [SIGTERM, SIGUSR1]) { number in
                print("signal", number)
                if number == SIGTERM { return EpollRunLoop.main.stop() }
                DispatchQueue.global().async { kill(getpid(), SIGTERM) }
            }
            try loop.add(source)
            DispatchQueue.global().async { kill(getpid(), SIGUSR1) }
            print(loop.run())
        } catch {
            print(error)
        }
    }

    private static func spawnChild() -> pid_t {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, "/bin/true", nil, nil, &arguments, environ)
        precondition(failure == 0, "posix_spawn failed with error number \(failure)")
        return process
    }
}
