import CCallgrind
import Evdev
import Glibc

// Run by decode.sh under umockdev-wrapper: [--count] RECORDING [DESCRIPTION].
//
// Prints, separated by tabs: the protocol, reports, touches of touchd and of libinput, how many are the same, and nanoseconds
// for a report of each. With --count it plays a few rounds for callgrind to count, and prints the number of reports.
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

guard let touchd = try Touchd(devices[0].path) else { end("not taken by touchd") }
guard let libinput = try Libinput(devices[1].path) else { end("not taken by libinput") }
let contenders: [any Contender] = [touchd, libinput]
var times: [[Double]] = [[], []]

/// Has a contender read a report of the recording.
@MainActor func play(_ index: Int, _ which: Int) {
    nodes[which].write(recording.stamped(index))
    let start = ContinuousClock.now
    if isCounted { callgrind_toggle() }
    contenders[which].dispatch()
    if isCounted { callgrind_toggle() }
    times[which].append(Double((ContinuousClock.now - start).attoseconds) / 1e9)
}

/// One round of the recording, in which the contenders' turns alternate report by report.
@MainActor func playRound() {
    for index in recording.frames.indices { for turn in 0...1 { play(index, (index + turn) % 2) } }
}

playRound()
let (mine, theirs) = (touchd.log, libinput.log)
for contender in contenders { contender.isLogging = false }
if isCounted {
    let rounds = 600 / recording.frames.count + 1
    for (which, name) in ["touchd", "libinput"].enumerated() {
        callgrind_begin()
        for _ in 0..<rounds { for index in recording.frames.indices { play(index, which) } }
        callgrind_end(name)
    }
    end("\(rounds * recording.frames.count)")
}

times = [[], []]
while times[0].count < 4000 { playRound() }
// The median: on a busy machine the mean is that of what else ran.
let medians = times.map { Int($0.sorted()[$0.count / 2]) }
end(
    [
        DeviceRole(recording.description).touchProtocol?.rawValue ?? "–", "\(recording.frames.count)",
        "\(mine.touches.count)", "\(theirs.touches.count)", "\(mine.agreement(with: theirs))", "\(medians[0])",
        "\(medians[1])",
    ].joined(separator: "\t"))
