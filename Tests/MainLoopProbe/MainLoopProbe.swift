import CLinux
import Dispatch
import EventLoop
import Glibc

/// Runs one scenario on the main thread's loop and prints what happened, a line an event.
@main
struct MainLoopProbe {
    static func main() {
        let scenarios = [
            "dispatch": dispatchAndTasks,
            "isolation": isolation,
            "nested": nested,
            "modes": modes,
        ]
        guard let name = CommandLine.arguments.dropFirst().first, let scenario = scenarios[name] else {
            print("usage: MainLoopProbe \(scenarios.keys.sorted().joined(separator: "|"))")
            exit(2)
        }
        scenario()
    }

    /// Main-queue blocks, a main-actor task that awaits, and a block from another thread all come through the loop.
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

    static var calls: [String] = []

    /// Closures written in main-actor code need no annotation, and are on the main actor when they run.
    static func isolation() {
        let loop = EpollRunLoop.main
        let descriptor = eventfd(1, Int32(EFD_CLOEXEC))
        let source = DescriptorSource(name: "descriptor", descriptor: descriptor) { _ in
            MainActor.assumeIsolated { calls.append("descriptor") }
            var value: eventfd_t = 0
            eventfd_read(descriptor, &value)
        }
        loop.add(source)
        let signalled = SignalledSource(name: "signalled") {
            MainActor.assumeIsolated { calls.append("signalled") }
        }
        loop.add(signalled)
        signalled.signal()
        loop.add(
            RunLoopObserver(activities: .entry) { _ in MainActor.assumeIsolated { calls.append("observer") } })
        loop.perform { MainActor.assumeIsolated { calls.append("block") } }
        loop.add(
            RunLoopTimer(name: "timer", after: .milliseconds(1)) { _ in
                MainActor.assumeIsolated { calls.append("timer") }
                EpollRunLoop.main.stop()
            })
        print(loop.run())
        print(calls.joined(separator: " "))
    }

    /// A loop nested in a source's callback drains the main queue; nested in a block of the queue it does not, and what
    /// was put there meanwhile runs afterwards.
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

    /// The main queue is in the common modes: a run in another mode leaves it alone, and it is drained afterwards.
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
}
