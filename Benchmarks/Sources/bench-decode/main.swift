import Evdev
import Glibc

// Run by bench-decode.sh under umockdev-wrapper: [--count] RECORDING [DESCRIPTION].
//
// Prints, with tabs between: the protocol, reports, touches of touchd and of libinput, how many are the same, nanoseconds for
// a report of each, and how the first touch differs. With --count it plays a few rounds for callgrind to count, and prints in
// how many reports.
var arguments = Array(CommandLine.arguments.dropFirst())
let isCounted = arguments.first == "--count"
if isCounted { arguments.removeFirst() }
let recording = try RecordedFrames(path: arguments[0], description: arguments.count > 1 ? arguments[1] : nil)
let bed = try TestBed()
let devices = (0...1).map { MockDevice(description: recording.description, number: 900 + $0) }
for device in devices { try bed.plug(device) }
let nodes = try devices.map { try MockNode(bed.descriptor(of: $0)) }

/// Ends at once: umockdev's own threads do not always let the program go.
func end(_ line: String) -> Never {
    print(line)
    fflush(nil)
    _exit(0)
}

let touchd = try Touchd(devices[0].path)
guard touchd.isUsed, let libinput = try LibinputOnLoop(devices[1].path) else {
    end("not taken by \(touchd.isUsed ? "libinput" : "touchd")")
}
let contenders: [any Contender] = [touchd, libinput]
var times: [[Double]] = [[], []]

/// One round of the recording, in which the contenders' turns alternate report by report.
@MainActor func play(isCounted: Bool) {
    for index in recording.frames.indices {
        for turn in 0...1 {
            let which = (index + turn) % 2
            nodes[which].write(recording.stamped(index))
            let start = ContinuousClock.now
            contenders[which].dispatch(isCounted: isCounted)
            times[which].append(Double((ContinuousClock.now - start).attoseconds) / 1e9)
        }
    }
}

play(isCounted: false)
let (mine, theirs) = (touchd.log, libinput.log)
for contender in contenders { contender.isLogging = false }
if isCounted {
    let rounds = 600 / recording.frames.count + 1
    for _ in 0..<rounds { play(isCounted: true) }
    end("\(rounds * recording.frames.count)")
}

for which in 0...1 { times[which] = [] }
while times[0].count < 4000 { play(isCounted: false) }
// The median: on a busy machine the mean is that of what else ran.
let medians = times.map { Int($0.sorted()[$0.count / 2]) }
end(
    [
        DeviceRole(recording.description).touchProtocol?.rawValue ?? "–", "\(recording.frames.count)",
        "\(mine.touches.count)", "\(theirs.touches.count)", "\(mine.agreement(with: theirs))", "\(medians[0])",
        "\(medians[1])", mine.firstDifference(from: theirs) ?? "",
    ].joined(separator: "\t"))
