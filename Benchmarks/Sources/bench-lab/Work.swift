import Foundation

/// The events to play, and the line with which a program reports one of its frames.
enum Work: String {
    case taps, moves

    /// A frame that programs must report.
    struct Frame {
        /// Where its fingers are, from the left, in steps of `Panel.step`: its name, as it were.
        var place: Int
        /// When the kernel took it, in nanoseconds on CLOCK_MONOTONIC.
        var stamp: Int64
    }

    /// Plays a number of frames, each at its time, and returns those that programs must report.
    func play(on panel: Panel, hertz: Int, frames: Int) throws -> [Frame] {
        var played: [Frame] = []
        played.reserveCapacity(frames)
        if self == .moves { _ = try panel.frame(.down, place: Panel.places) }
        let start = now()
        for number in 0..<frames {
            sleep(until: start + Int64(number + 1) * 1_000_000_000 / Int64(hertz))
            switch self {
            case .moves:
                let place = number % Panel.places
                played.append(Frame(place: place, stamp: try panel.frame(.move, place: place)))
            case .taps:
                let place = number / 2 % Panel.places
                let stamp = try panel.frame(number.isMultiple(of: 2) ? .down : .up, place: place)
                if number.isMultiple(of: 2) { played.append(Frame(place: place, stamp: stamp)) }
            }
        }
        if self == .moves { _ = try panel.frame(.up, place: 0) }
        return played
    }

    /// The position that a line reports; nil for other lines.
    func place(in line: Substring, of format: Reader.Format) -> Int? {
        switch format {
        case .evtest:
            // Event: time 12.345678, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 4711
            guard line.contains("(ABS_MT_POSITION_X), value") else { return nil }
            return line.split(separator: " ").last.flatMap { Int($0) }.map { $0 / Panel.step }
        case .libinput:
            // -event4  TOUCH_MOTION  112 +1.234s	0 (0) 12.34/56.78 (12.3/45.6mm)
            guard line.contains(self == .taps ? "TOUCH_DOWN" : "TOUCH_MOTION") else { return nil }
            guard let slash = line.firstIndex(of: "/") else { return nil }
            let digits = line[..<slash].split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ")" }).last
            return digits.flatMap { Double($0) }.map { Panel.place(part: $0 / 100) }
        case .touchd:
            guard line.contains(self == .taps ? #""phase": "began""# : #""phase": "moved""#) else { return nil }
            guard let key = line.range(of: #""x": "#) else { return nil }
            return Double(line[key.upperBound...].prefix { $0 != "," }).map { Panel.place(part: $0 / 1920) }
        case .keys: return nil
        }
    }
}

/// CLOCK_MONOTONIC in nanoseconds.
func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

private func sleep(until moment: Int64) {
    var time = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
}
