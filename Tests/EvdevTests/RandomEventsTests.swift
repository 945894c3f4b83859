import Recordings
import CLinux
import Evdev
import Foundation
import Testing

/// Events that no device would send, and recordings that no program would write, identical in every run.
@Suite("Random input")
struct RandomEventsTests {
    @Test(
        "For any events every contact and key that began ends or is cancelled once",
        arguments: [Feed.Device.slots, .anonymous, .single, .pressure, .mouse, .absolutePointer, .accelerometer],
        0..<8)
    func events(_ kind: Feed.Device, _ seed: Int) {
        var device = Feed(kind)
        var random = SplitMix(seed: UInt64(seed))
        var down: Set<UInt32> = []
        var pressed: Set<UInt16> = []
        var lastID: UInt32 = 0
        var isWrong = false

        func check(_ frame: InputFrame) {
            isWrong = isWrong || frame.isEmpty || Set(frame.contacts.map(\.id)).count != frame.contacts.count
            for contact in frame.contacts {
                switch contact.phase {
                case .began:
                    isWrong = isWrong || contact.id <= lastID
                    lastID = contact.id
                    down.insert(contact.id)
                case .moved: isWrong = isWrong || !down.contains(contact.id)
                case .ended, .cancelled: isWrong = isWrong || down.remove(contact.id) == nil
                }
                isWrong = isWrong || !(0..<1).contains(contact.position.x) || !(0..<1).contains(contact.position.y)
            }
            for key in frame.keys {
                switch key.action {
                case .pressed: isWrong = isWrong || !pressed.insert(key.code).inserted
                case .repeated: isWrong = isWrong || !pressed.contains(key.code)
                case .released, .cancelled: isWrong = isWrong || pressed.remove(key.code) == nil
                }
            }
        }

        for _ in 0..<4000 {
            let events = (0..<Int.random(in: 0..<12, using: &random)).map { _ in Feed.Event.random(&random) }
            device.report(events, check)
            if Int.random(in: 0..<50, using: &random) == 0 { device.cancelAll(check) }
        }
        device.cancelAll(check)
        #expect(!isWrong)
        #expect(down.isEmpty)
        #expect(pressed.isEmpty)
    }

    @Test(
        "A damaged recording is read, or rejected with a position, but never crashes",
        arguments: [
            "atmel-maxtouch-printed/fast-taps.yml", "atmel-maxtouch-printed/fast-taps.evtest",
            "atmel-maxtouch/Atmel maXTouch Touchscreen.1-finger-fast-taps.events",
            "touchpad-bcm5974-a/bcm5974.three-finger-click.events",
        ])
    func recordings(_ name: String) throws {
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: Expectation.folder + name)).prefix(6_000))
        var random = SplitMix(seed: 7)
        for round in 0..<12 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1..<20, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: "99999999999".utf8, at: place)
                default: bytes.insert(UInt8(ascii: "\n"), at: place)
                }
            }
            let path = try temporaryFile(named: "damaged-\(fnv1a(name))", "")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            do throws(RecordingError) {
                var reader = try RecordingReader(path: path)
                var report = DecodeReport(description: reader.description, role: DeviceRole(reader.description))
                while let event = try reader.next() { _ = report.feed(event) }
            } catch {
                #expect(error.description.hasPrefix(path), "round \(round)")
            }
        }
    }
}

extension Feed.Event {
    /// Mostly valid codes, with values that are often invalid.
    fileprivate static func random(_ random: inout SplitMix) -> Feed.Event {
        let codes: [(Int32, Int32)] = [
            (EV_ABS, ABS_MT_SLOT), (EV_ABS, ABS_MT_TRACKING_ID), (EV_ABS, ABS_MT_TRACKING_ID),
            (EV_ABS, ABS_MT_POSITION_X), (EV_ABS, ABS_MT_POSITION_Y), (EV_ABS, ABS_MT_TOOL_TYPE),
            (EV_ABS, ABS_MT_DISTANCE), (EV_ABS, ABS_X), (EV_ABS, ABS_Y), (EV_ABS, ABS_PRESSURE), (EV_KEY, BTN_TOUCH),
            (EV_KEY, BTN_LEFT), (EV_KEY, KEY_A), (EV_REL, REL_X), (EV_REL, REL_WHEEL), (EV_SYN, SYN_MT_REPORT),
            (EV_SYN, SYN_MT_REPORT), (EV_SYN, SYN_DROPPED), (EV_ABS, ABS_MT_TOUCH_MAJOR),
        ]
        let (type, code) = codes[Int.random(in: codes.indices, using: &random)]
        let value: Int32 =
            switch Int.random(in: 0..<12, using: &random) {
            case 0: Int32.random(in: .min ... .max, using: &random)
            case 1: .max
            case 2: .min
            case 3..<6: -1
            default: Int32.random(in: 0..<12, using: &random)
            }
        return Feed.Event(type: type, code: code, value: value)
    }
}

/// Sebastiano Vigna's SplitMix64: the same numbers from the same seed.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
