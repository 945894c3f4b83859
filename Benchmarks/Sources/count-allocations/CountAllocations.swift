import CMallocCount
import EventLoop
import Glibc

/// Counts what a thousand callbacks of each kind allocate once a hundred have warmed the loop up, and fails if any does.
@main
final class CountAllocations {
    let loop: EpollRunLoop
    var left = 0
    var total = 0

    init() throws { loop = try EpollRunLoop() }

    static func main() throws {
        let before = malloc_calls()
        let count = try CountAllocations()
        guard malloc_calls() > before else { fatalError("malloc is not being counted") }
        count.descriptors()
        count.signalled("signalled source")
        count.timers()
        count.blocks()
        count.loop.add(RunLoopObserver(activities: .all) { _ in })
        count.signalled("signalled source, under an observer")
        count.loop.meter = RunLoopMeter()
        count.signalled("signalled source, under an observer and a meter")
        exit(count.total == 0 ? 0 : 1)
    }

    /// Counts one callback, and stops the loop after the last.
    func step() {
        left -= 1
        if left == 0 { loop.stop() }
    }

    func measure(_ name: String, _ start: () -> Void) {
        left = 100
        start()
        loop.run()
        left = 1_000
        start()
        let before = malloc_calls()
        loop.run()
        let count = Int(malloc_calls() - before)
        total += count
        print("\(name): \(count) allocations in 1,000 callbacks")
    }

    func descriptors() {
        let numbers = (0..<2).map { _ in eventfd(0, Int32(EFD_CLOEXEC)) }
        let sources = [(0, 1), (1, 0)].map { own, other in
            DescriptorSource(name: "descriptor", descriptor: numbers[own]) { [self] _ in
                var value: eventfd_t = 0
                eventfd_read(numbers[own], &value)
                eventfd_write(numbers[other], 1)
                step()
            }
        }
        for source in sources { loop.add(source) }
        var isStarted = false
        measure("descriptor source") {
            if !isStarted { eventfd_write(numbers[0], 1) }
            isStarted = true
        }
        for source in sources { source.invalidate() }
        for number in numbers { close(number) }
    }

    func signalled(_ name: String) {
        weak var again: SignalledSource?
        let source = SignalledSource(name: "signalled") { [self] in
            step()
            again?.signal()
        }
        again = source
        loop.add(source)
        measure(name) { source.signal() }
        source.invalidate()
    }

    func timers() {
        let eager = RunLoopTimer(name: "eager") { [self] timer in
            timer.reschedule(at: loop.now)
            step()
        }
        loop.add(eager)
        measure("timer armed again") { eager.reschedule(after: .zero) }
        eager.invalidate()
        let repeating = RunLoopTimer(name: "repeating", after: .zero, repeating: .microseconds(50)) { [self] _ in step()
        }
        loop.add(repeating)
        measure("repeating timer, asleep between") {}
        repeating.invalidate()
    }

    func blocks() {
        let keepsRunning = SignalledSource(name: "keeps the mode from finishing") {}
        loop.add(keepsRunning)
        var block: () -> Void = {}
        block = { [self] in
            step()
            if left > 0 { loop.perform(block) }
        }
        measure("block given again") { loop.perform(block) }
        block = {}
        keepsRunning.invalidate()
    }
}
