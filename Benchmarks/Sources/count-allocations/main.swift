import CMallocCount
import EventLoop
import Glibc

// Counts what a thousand passes of each kind allocate once a hundred have warmed the loop up.
guard let loop = try? EpollRunLoop() else { fatalError("no loop") }
let descriptors = (eventfd(1, Int32(EFD_CLOEXEC)), eventfd(0, Int32(EFD_CLOEXEC)))
var calls = 0
var failed = false

/// Runs until the counter has grown by so many, and answers the allocations meanwhile.
func allocations(in passes: Int, limit: Int) -> Int {
    calls = limit - passes
    let before = malloc_calls()
    loop.run()
    return Int(malloc_calls() - before)
}

func report(_ name: String, _ start: () -> Void) {
    start()
    _ = allocations(in: 100, limit: 100)
    start()
    let count = allocations(in: 1_000, limit: 1_000)
    print("\(name): \(count) allocations in 1,000")
    if count > 0 { failed = true }
}

func step() {
    calls += 1
    if calls >= 1_000 || calls == 100 && isWarming { loop.stop() }
}
var isWarming = false

let first = DescriptorSource(name: "first", descriptor: descriptors.0) { _ in
    var value: eventfd_t = 0
    eventfd_read(descriptors.0, &value)
    eventfd_write(descriptors.1, 1)
    step()
}
let second = DescriptorSource(name: "second", descriptor: descriptors.1) { _ in
    var value: eventfd_t = 0
    eventfd_read(descriptors.1, &value)
    eventfd_write(descriptors.0, 1)
    step()
}
loop.add(first)
loop.add(second)
report("descriptor source") {}

first.invalidate()
second.invalidate()
let signalled = SignalledSource(name: "signalled") {
    step()
    again?.signal()
}
let again: SignalledSource? = signalled
loop.add(signalled)
report("signalled source") { signalled.signal() }

let timer = RunLoopTimer(name: "timer") { timer in
    timer.reschedule(at: loop.now)
    step()
}
loop.add(timer)
report("timer armed anew") { timer.reschedule(after: .zero) }
timer.invalidate()

let repeating = RunLoopTimer(name: "repeating", after: .zero, repeating: .microseconds(50)) { _ in step() }
loop.add(repeating)
report("repeating timer that sleeps") {}
repeating.invalidate()

let observer = RunLoopObserver(activities: .all) { _ in }
loop.add(observer)
report("signalled source under an observer") { signalled.signal() }

loop.meter = RunLoopMeter()
report("signalled source under an observer and a meter") { signalled.signal() }

let block: () -> Void = { step(); if let next { loop.perform(next) } }
var next: (() -> Void)? = block
report("block that is given again") { loop.perform(block) }

exit(failed ? 1 : 0)
