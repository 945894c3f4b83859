import Evdev
import Glibc

// Run by bench-decode.sh under umockdev-wrapper: RECORDING [DESCRIPTION] from the folder of recordings.
//
// Without more, prints touches of both and how many are the same, and times; with --count touchd|libinput ROUNDS it only
// plays so often to one of them, for callgrind.
var arguments = Array(CommandLine.arguments.dropFirst())
var counted: (name: String, rounds: Int)?
if arguments.first == "--count" {
    counted = (arguments[1], Int(arguments[2]) ?? 1)
    arguments.removeFirst(3)
}
let recording = try RecordedFrames(path: arguments[0], description: arguments.count > 1 ? arguments[1] : nil)
let bed = try TestBed()
let devices = (0...1).map { MockDevice(description: recording.description, number: 900 + $0) }
for device in devices { try bed.plug(device) }
let nodes = devices.map { bed.descriptor(of: $0) }

if let counted {
    let contender: (any Contender)? =
        counted.name == "touchd" ? try Touchd(devices[0].path) : Libinput(devices[1].path)
    contender?.isLogging = false
    let node = nodes[counted.name == "touchd" ? 0 : 1]
    for _ in 0..<counted.rounds {
        for index in recording.frames.indices {
            write(recording.stamped(index), to: node)
            contender?.dispatch()
        }
    }
    _exit(0)
}

let touchd = try Touchd(devices[0].path)
guard touchd.isUsed, let libinput = Libinput(devices[1].path) else {
    print("not taken by \(touchd.isUsed ? "libinput" : "touchd")")
    fflush(nil)
    _exit(0)
}
let contenders: [any Contender] = [touchd, libinput]

/// One round of the recording: nanoseconds that each contender took, whose turns alternate frame by frame.
@MainActor func play() -> [Double] {
    var times = [0.0, 0.0]
    for index in recording.frames.indices {
        for turn in 0...1 {
            let which = (index + turn) % 2
            write(recording.stamped(index), to: nodes[which])
            let start = ContinuousClock.now
            contenders[which].dispatch()
            times[which] += Double((ContinuousClock.now - start).attoseconds) / 1e9
        }
    }
    return times.map { $0 / Double(recording.frames.count) }
}

_ = play()
let (mine, theirs) = (touchd.log, libinput.log)
for contender in contenders { contender.isLogging = false }
var rounds: [[Double]] = []
while rounds.count < 5 || rounds.count * recording.frames.count < 4000 { rounds.append(play()) }
func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
print(
    [
        DeviceRole(recording.description).touchProtocol?.rawValue ?? "–", "\(recording.frames.count)",
        "\(mine.touches.count)", "\(theirs.touches.count)", "\(mine.agreement(with: theirs))",
        "\(Int(median(rounds.map { $0[0] })))", "\(Int(median(rounds.map { $0[1] })))",
        mine.firstDifference(from: theirs) ?? "",
    ].joined(separator: "\t"))
fflush(nil)
// umockdev's own threads do not always let the program go.
_exit(0)
