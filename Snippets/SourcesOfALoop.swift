// One loop with a source of each kind.
import EventLoop
import Foundation

// snippet.loop
let loop = try EpollRunLoop()
// snippet.end

// snippet.descriptor
let input = DescriptorSource(name: "standard input", descriptor: STDIN_FILENO) { events in
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count > 0 { print("read \(count) bytes") } else { loop.stop() }
}
try loop.add(input)
// snippet.end

// snippet.timer
let blink = RunLoopTimer(name: "blink", after: .seconds(1), repeating: .seconds(1)) { _ in print("another second") }
loop.add(blink)
// snippet.end

// snippet.signalled
let redraw = SignalledSource(name: "redraw") { print("once a pass, however often it was signalled") }
loop.add(redraw)
redraw.signal()
redraw.signal()
// snippet.end

// snippet.others
let signals = try UnixSignalSource(signals: [SIGTERM, SIGINT]) { _ in loop.stop() }
try loop.add(signals)

let folder = try FileWatchSource { change in print("\(change.path) changed") }
try folder.watch("/tmp")
try loop.add(folder)
// snippet.end

// snippet.observer
let idle = RunLoopObserver(activities: [.beforeWaiting]) { _ in print("nothing left to do") }
loop.add(idle)
// snippet.end

// snippet.remote
let remote = loop.remote
Thread.detachNewThread {
    let answer = (1...1_000_000).reduce(0, +)
    remote.perform { print("\(answer), back on the loop's thread") }
}
// snippet.end

// snippet.run
switch loop.run(until: .after(.seconds(5))) {
case .stopped: print("stopped")
case .timedOut: print("five seconds are over")
case .finished: print("nothing left to wait for")
case .handledSource: break
}
// snippet.end
