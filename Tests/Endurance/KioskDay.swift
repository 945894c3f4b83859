import CLinux
import Evdev

/// A day of visitors at a wall: the events of a multi-touch panel from a seeded generator, frame by frame.
///
/// Up to four visitors use the wall at a time. Each taps, drums, drags, swipes, pinches, presses long or rests the heel
/// of a hand on it, pauses, and leaves; at night there are few visitors. The panel has 4096 × 4096 units and ten slots.
/// It reports a hundred times a second while it is touched, and nothing otherwise. Occasionally it is unplugged.
struct KioskDay {
    /// The movement of a finger on the panel: `delay` frames later it comes down, and is lifted after `length` frames.
    private struct Stroke {
        var slot, delay, length: Int
        var from, to: SurfacePoint
        var age = 0
    }

    /// The length of the day in microseconds.
    private static let length = 24 * 3.6e9
    private let events: Int
    private var strokes: [Stroke] = []
    private var lastTrackingID: Int32 = 0
    /// For each place, the time of its visitor's next action in microseconds, and the number of remaining actions.
    private var places = [(next: Int64, wishes: Int)](repeating: (0, 0), count: 4)
    private var nextPull: Int64 = 60_000_000

    private var random: Randomness
    private var frame: [InputEvent] = []
    /// The time of the last frame, in microseconds since midnight.
    private(set) var time: Int64 = 0
    private(set) var eventCount = 0, pullCount = 0, fingerCount = 0

    /// - Parameter events: the minimum number of events in the day; pauses are scaled to fit.
    init(events: Int, seed: UInt64) { (self.events, random) = (events, Randomness(seed: seed)) }

    /// Generates the panel's next report; no event if it was unplugged, with or without fingers on it, and plugged in
    /// again; nil at the end of the day.
    mutating func next() -> [InputEvent]? {
        frame = []
        guard eventCount < events else { return nil }
        time += 10_000
        if strokes.isEmpty { time = max(time, places.map(\.next).min() ?? time) }
        if time >= nextPull {
            pullCount += 1
            strokes.removeAll(keepingCapacity: true)
            nextPull = time + Int64(random.below(600_000_000))
            time += 200_000
            return []
        }
        for place in places.indices where places[place].next <= time { act(at: place) }
        for index in strokes.indices { report(index) }
        strokes.removeAll { $0.age > $0.length }
        if frame.isEmpty { return next() }
        add(EV_SYN, SYN_REPORT, 0)
        eventCount += frame.count
        return frame
    }

    private mutating func act(at place: Int) {
        if places[place].wishes == 0 {
            places[place].wishes = 3 + random.below(40)
            // Keeps the day at its length for its number of events, most of which are in its middle.
            let ahead = max(0, Double(eventCount) / Double(events) * Self.length - Double(time))
            let pause = Double(random.below(2_000_000)) + ahead * Double(random.below(1000)) / 1000
            places[place].next = time + Int64(pause)
            if pause > 0 { return }
        }
        places[place].wishes -= 1
        places[place].next = time + Int64(begin()) * 10_000 + 50_000 + Int64(random.below(350_000))
    }

    /// Starts a visitor's next action; returns its duration in frames.
    private mutating func begin() -> Int {
        let point = SurfacePoint(x: random.unit(), y: random.unit())
        switch random.below(100) {
        case 0..<35: return stroke(point, point, 4 + random.below(10))
        case 35..<45: return stroke(point, point, 6) + stroke(point, point, 6, after: 12) + 6
        case 45..<60: return stroke(point, near(point, 0.6), 20 + random.below(60))
        case 60..<70: return stroke(point, SurfacePoint(x: max(point.x - 0.2, 0), y: point.y), 8)
        case 70..<82:
            let length = 20 + random.below(40)
            let other = near(point, 0.2)
            _ = stroke(point, near(point, 0.3), length)
            return stroke(other, near(other, 0.3), length - random.below(5))
        case 82..<88: return stroke(point, point, 60 + random.below(60))
        case 88..<93:
            return (0..<4).reduce(0) { length, _ in
                length + stroke(near(point, 0.02), near(point, 0.02), 4, after: length) + 3
            }
        default: return (0..<3).reduce(0) { _, _ in stroke(near(point, 0.1), near(point, 0.1), 30) }
        }
    }

    private mutating func near(_ point: SurfacePoint, _ distance: Double) -> SurfacePoint {
        SurfacePoint(
            x: min(max(point.x + (random.unit() - 0.5) * distance, 0), 1),
            y: min(max(point.y + (random.unit() - 0.5) * distance, 0), 1))
    }

    private mutating func stroke(
        _ from: SurfacePoint, _ to: SurfacePoint, _ length: Int, after delay: Int = 0
    ) -> Int {
        if let slot = (0..<10).first(where: { slot in !strokes.contains { $0.slot == slot } }) {
            strokes.append(Stroke(slot: slot, delay: delay, length: length, from: from, to: to))
        }
        return length
    }

    private mutating func report(_ index: Int) {
        let stroke = strokes[index]
        guard stroke.delay == 0 else { return strokes[index].delay -= 1 }
        add(EV_ABS, ABS_MT_SLOT, Int32(stroke.slot))
        if stroke.age == 0 {
            lastTrackingID = (lastTrackingID + 1) & 0xffff
            fingerCount += 1
            add(EV_ABS, ABS_MT_TRACKING_ID, lastTrackingID)
        }
        if stroke.age == stroke.length {
            add(EV_ABS, ABS_MT_TRACKING_ID, -1)
        } else {
            let share = Double(stroke.age) / Double(stroke.length)
            add(EV_ABS, ABS_MT_POSITION_X, value(stroke.from.x + (stroke.to.x - stroke.from.x) * share))
            add(EV_ABS, ABS_MT_POSITION_Y, value(stroke.from.y + (stroke.to.y - stroke.from.y) * share))
        }
        strokes[index].age += 1
    }

    /// A position on an axis, with the tremor of a finger.
    private mutating func value(_ share: Double) -> Int32 {
        Int32(min(max(share * 4095 + (random.unit() - 0.5) * 4095 * 0.002, 0), 4095))
    }

    private mutating func add(_ type: Int32, _ code: Int32, _ value: Int32) {
        let now = InputTimestamp(microseconds: time)
        frame.append(InputEvent(type: UInt16(type), code: UInt16(code), value: value, time: now))
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
