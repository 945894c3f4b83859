import CLinux
import Evdev

/// A day of visitors at a wall: the events of a multi-touch panel from a seeded generator, frame by frame.
///
/// Up to four visitors use the wall at a time. Each taps, drums, drags, swipes, pinches, presses long or rests the heel
/// of a hand on it, pauses, and leaves; at night there are few visitors. The panel reports a hundred times a second
/// while it is touched, and nothing otherwise. Occasionally it is unplugged.
struct KioskDay {
    /// The next step.
    enum Step {
        /// A report of the panel: the events up to its `SYN_REPORT` are in the array.
        case frame
        /// The panel was unplugged, with or without fingers on it, and plugged in again.
        case unplugged
        /// The day is over.
        case over
    }

    /// The movement of a finger on the panel.
    private struct Stroke {
        var slot: Int
        var visitor: Int
        /// The number of frames to wait first.
        var delay: Int
        var length: Int
        var age = 0
        var from: (x: Double, y: Double)
        var to: (x: Double, y: Double)
        var isPalm = false
    }

    /// The length of the day in microseconds.
    private let length: Int64
    private let events: Int
    private let panel: (x: AxisInfo, y: AxisInfo)
    private let slotCount: Int
    private let hasToolType: Bool
    private var random: Randomness
    private var strokes: [Stroke] = []
    private var lastTrackingID: Int32 = 0
    /// For each place, the time of its visitor's next action in microseconds, and the number of remaining actions.
    private var places = [(next: Int64, wishes: Int)](repeating: (0, 0), count: 4)
    private var nextPull: Int64

    /// The time of the last frame, in microseconds since midnight.
    private(set) var time: Int64 = 0
    /// The number of generated events.
    private(set) var eventCount = 0
    /// The number of times that the panel was unplugged.
    private(set) var pullCount = 0
    /// The number of fingers that came down.
    private(set) var fingerCount = 0

    /// - Parameters:
    ///   - panel: a panel's description, with positions and slots.
    ///   - events: the minimum number of events in the day; pauses are scaled to fit.
    init(on panel: DeviceDescription, events: Int, hours: Double, seed: UInt64) {
        func axis(_ code: Int32) -> AxisInfo { panel.axes[UInt16(code)] ?? AxisInfo(minimum: 0, maximum: 4095) }
        self.panel = (axis(ABS_MT_POSITION_X), axis(ABS_MT_POSITION_Y))
        slotCount = min(10, Int(axis(ABS_MT_SLOT).maximum) + 1)
        hasToolType = panel.axes[UInt16(ABS_MT_TOOL_TYPE)] != nil
        self.events = events
        length = Int64(hours * 3_600_000_000)
        random = Randomness(seed: seed)
        nextPull = 60_000_000
    }

    /// Generates the next events.
    mutating func next(into frame: inout [InputEvent]) -> Step {
        frame.removeAll(keepingCapacity: true)
        guard eventCount < events else { return .over }
        time += 10_000
        if strokes.isEmpty { time = max(time, places.map { $0.next }.min() ?? time) }
        if time >= nextPull {
            pullCount += 1
            strokes.removeAll(keepingCapacity: true)
            nextPull = time + Int64(random.below(600_000_000))
            time += 200_000
            return .unplugged
        }
        for place in places.indices where places[place].next <= time { begin(at: place) }
        move(into: &frame)
        if frame.isEmpty { return next(into: &frame) }
        add(EV_SYN, SYN_REPORT, 0, to: &frame)
        eventCount += frame.count
        return .frame
    }

    // MARK: Visitors

    private mutating func begin(at place: Int) {
        if places[place].wishes == 0 {
            places[place].wishes = 3 + random.below(40)
            // Keeps the day at its length for its number of events, most of which are in its middle.
            let share = Double(eventCount) / Double(events) * Double(length)
            let ahead = max(0, share - Double(time))
            let pause = Double(random.below(2_000_000)) + ahead * Double(random.below(1000)) / 1000
            places[place].next = time + Int64(pause)
            if pause > 0 { return }
        }
        places[place].wishes -= 1
        let frames = act(at: place)
        places[place].next = time + Int64(frames) * 10_000 + 50_000 + Int64(random.below(350_000))
    }

    /// Starts a visitor's next action; returns its duration in frames.
    private mutating func act(at place: Int) -> Int {
        let point = (x: random.unit(), y: random.unit())
        func near(_ point: (x: Double, y: Double), _ distance: Double) -> (x: Double, y: Double) {
            (
                min(max(point.x + (random.unit() - 0.5) * distance, 0), 1),
                min(max(point.y + (random.unit() - 0.5) * distance, 0), 1)
            )
        }
        switch random.below(100) {
        case 0..<35: return stroke(place, point, point, 4 + random.below(10))
        case 35..<45:
            let first = stroke(place, point, point, 6)
            return stroke(place, point, point, 6, after: first + 6) + first + 6
        case 45..<60: return stroke(place, point, near(point, 0.6), 20 + random.below(60))
        case 60..<70: return stroke(place, point, (max(point.x - 0.2, 0), point.y), 8)
        case 70..<82:
            let length = 20 + random.below(40)
            let other = near(point, 0.2)
            _ = stroke(place, point, near(point, 0.3), length)
            return stroke(place, other, near(other, 0.3), length - random.below(5))
        case 82..<88: return stroke(place, point, point, 60 + random.below(60))
        case 88..<93:
            var length = 0
            for _ in 0..<4 { length += stroke(place, near(point, 0.02), near(point, 0.02), 4, after: length) + 3 }
            return length
        default:
            for _ in 0..<3 { _ = stroke(place, near(point, 0.1), near(point, 0.1), 30, isPalm: true) }
            return 30
        }
    }

    private mutating func stroke(
        _ visitor: Int, _ from: (x: Double, y: Double), _ to: (x: Double, y: Double), _ length: Int,
        after delay: Int = 0,
        isPalm: Bool = false
    ) -> Int {
        guard let slot = (0..<slotCount).first(where: { slot in !strokes.contains { $0.slot == slot } }) else {
            return length
        }
        strokes.append(
            Stroke(slot: slot, visitor: visitor, delay: delay, length: length, from: from, to: to, isPalm: isPalm))
        return length
    }

    // MARK: The panel

    private mutating func move(into frame: inout [InputEvent]) {
        for index in strokes.indices {
            var stroke = strokes[index]
            defer { strokes[index] = stroke }
            if stroke.delay > 0 {
                stroke.delay -= 1
                continue
            }
            add(EV_ABS, ABS_MT_SLOT, Int32(stroke.slot), to: &frame)
            if stroke.age == 0 {
                lastTrackingID = (lastTrackingID + 1) & 0xffff
                fingerCount += 1
                add(EV_ABS, ABS_MT_TRACKING_ID, lastTrackingID, to: &frame)
            }
            if stroke.age == stroke.length {
                add(EV_ABS, ABS_MT_TRACKING_ID, -1, to: &frame)
            } else {
                // The panel recognizes the heel of a hand only after a moment.
                if hasToolType, stroke.isPalm, stroke.age == 3 {
                    add(EV_ABS, ABS_MT_TOOL_TYPE, MT_TOOL_PALM, to: &frame)
                }
                if hasToolType, stroke.age == 0 { add(EV_ABS, ABS_MT_TOOL_TYPE, MT_TOOL_FINGER, to: &frame) }
                let share = Double(stroke.age) / Double(stroke.length)
                let x = value(stroke.from.x + (stroke.to.x - stroke.from.x) * share, panel.x)
                let y = value(stroke.from.y + (stroke.to.y - stroke.from.y) * share, panel.y)
                add(EV_ABS, ABS_MT_POSITION_X, x, to: &frame)
                add(EV_ABS, ABS_MT_POSITION_Y, y, to: &frame)
            }
            stroke.age += 1
        }
        strokes.removeAll { $0.age > $0.length }
    }

    /// A position on an axis, with the tremor of a finger.
    private mutating func value(_ share: Double, _ axis: AxisInfo) -> Int32 {
        let range = Double(axis.maximum - axis.minimum)
        let place = share * range + (random.unit() - 0.5) * range * 0.002
        return axis.minimum + Int32(min(max(place, 0), range))
    }

    private func add(_ type: Int32, _ code: Int32, _ value: Int32, to frame: inout [InputEvent]) {
        frame.append(
            InputEvent(
                type: UInt16(type), code: UInt16(code), value: value, time: InputTimestamp(microseconds: time)))
    }
}

/// Random numbers that are the same for the same seed (xorshift64*).
struct Randomness {
    private var state: UInt64

    init(seed: UInt64) { state = seed | 1 }

    /// A number from 0 up to, but not including, a limit.
    mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }

    /// A number from 0 up to, but not including, 1.
    mutating func unit() -> Double { Double(next() >> 11) / 0x1p53 }

    private mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
