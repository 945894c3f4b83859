import CLinux
import Evdev
import Testing

@Suite("Mice, absolute pointers and keys")
struct DecoderPointerTests {
    @Test("A mouse's motion is the sum of its events in a report")
    func relativeMotion() {
        var device = Feed(.mouse)
        _ = device.report([.relative(REL_X, 3), .relative(REL_X, 4), .relative(REL_Y, -2)])
        #expect(device.frame.pointer == .by(x: 7, y: -2))
        #expect(device.frame.scroll == nil)
    }

    @Test(
        "A wheel with high-resolution steps is read from them only, 120 for one detent; another one in detents",
        arguments: [
            ([.relative(REL_WHEEL_HI_RES, 60), .relative(REL_HWHEEL_HI_RES, -30)], ScrollDelta(x: -0.25, y: 0.5)),
            ([.relative(REL_WHEEL_HI_RES, 60), .relative(REL_WHEEL, 1)], ScrollDelta(x: 0, y: 0.5)),
            ([.relative(REL_HWHEEL, -2)], ScrollDelta(x: -2, y: 0)),
            ([.relative(REL_WHEEL, 1), .relative(REL_WHEEL_HI_RES, 120)], ScrollDelta(x: 0, y: 1)),
            // A mouse that announces the steps and sends none.
            ([.relative(REL_WHEEL, -1)], ScrollDelta(x: 0, y: -1)),
        ] as [([Feed.Event], ScrollDelta)])
    func wheels(_ events: [Feed.Event], _ scroll: ScrollDelta) {
        var device = Feed(.mouse)
        for number in 1...2 {
            _ = device.report(events)
            #expect(device.frame.scroll == scroll, "report \(number)")
        }
    }

    @Test("An absolute pointer is at its axes' values, even if one of them did not change")
    func absolutePointer() {
        var device = Feed(.absolutePointer)
        _ = device.report([.singleX(50), .singleY(25)])
        #expect(device.frame.pointer == .to(SurfacePoint(x: 0.5, y: 0.25)))
        _ = device.report([.singleY(75)])
        #expect(device.frame.pointer == .to(SurfacePoint(x: 0.5, y: 0.75)))
    }

    @Test("The click of an absolute pointer that has not moved is where the kernel holds the pointer")
    func clickWithoutMove() {
        var device = Feed(.absolutePointer, .init(range: AxisInfo(minimum: 0, maximum: 99, value: 25)))
        _ = device.report([.key(BTN_LEFT, 1)])
        #expect(device.frame.pointer == .to(SurfacePoint(x: 0.25, y: 0.25)))
        #expect(device.frame.keys.count == 1)
        _ = device.report([.key(BTN_LEFT, 0)])
        #expect(device.frame.pointer == nil)
    }

    @Test("The first motion of an absolute pointer is not lost")
    func motionOfAbsolutePointer() {
        var device = Feed(.absolutePointer)
        _ = device.report([.relative(REL_X, 3)])
        #expect(device.frame.pointer == .by(x: 3, y: 0))
        _ = device.report([.singleX(50), .relative(REL_X, 3)])
        #expect(device.frame.pointer == .to(SurfacePoint(x: 0.5, y: 0)))
    }

    @Test("A release in the report of a key that the kernel repeats is a release")
    func releaseInRepeat() {
        var device = Feed(.mouse, .init(keys: [KEY_VOLUMEUP]))
        _ = device.report([.key(BTN_LEFT, 1), .key(KEY_VOLUMEUP, 1)])
        _ = device.report([.key(BTN_LEFT, 0), .key(KEY_VOLUMEUP, 2)], byKernel: true)
        #expect(device.frame.keys.map(\.action) == [.released, .repeated])
        _ = device.report([.key(KEY_VOLUMEUP, 0)], byKernel: true)
        #expect(device.frame.keys.map(\.action) == [.cancelled])
    }

    @Test("Every press ends once: released, or cancelled when the device is removed")
    func keys() {
        var device = Feed(.mouse)
        _ = device.report([.key(BTN_LEFT, 0)])
        #expect(device.reportedFrames == 0)
        _ = device.report([.key(BTN_LEFT, 1), .key(BTN_LEFT, 0), .key(BTN_RIGHT, 1)])
        #expect(
            device.frame.keys == [
                KeyChange(code: UInt16(BTN_LEFT), action: .pressed),
                KeyChange(code: UInt16(BTN_LEFT), action: .released),
                KeyChange(code: UInt16(BTN_RIGHT), action: .pressed),
            ])
        _ = device.cancelAll()
        #expect(device.frame.keys == [KeyChange(code: UInt16(BTN_RIGHT), action: .cancelled)])
        #expect(device.cancelAll() == [])
    }

    @Test("A headphone jack is a key that is down while something is plugged in; other switches are none")
    func headphones() {
        var device = Feed(.mouse)
        for value in [Int32(1), 0, 1] {
            let events = [SW_LID, SW_HEADPHONE_INSERT].map { Feed.Event(type: EV_SW, code: $0, value: value) }
            _ = device.report(events)
            let action: KeyChange.Action = value == 1 ? .pressed : .released
            #expect(device.frame.keys == [KeyChange(code: KeyCode.headphones, action: action)])
        }
        _ = device.cancelAll()
        #expect(device.frame.keys == [KeyChange(code: KeyCode.headphones, action: .cancelled)])
    }

    @Test("A touchscreen with BTN_LEFT or a wheel is not a mouse; its other keys are keys")
    func touchscreenWithMouseButton() {
        for kind in [Feed.Device.slots, .anonymous] {
            var device = Feed(kind, .init(keys: [BTN_TOUCH, BTN_LEFT, BTN_RIGHT, KEY_HOMEPAGE]))
            _ = device.report([.key(BTN_LEFT, 1), .key(BTN_RIGHT, 1), .key(KEY_HOMEPAGE, 1), .relative(REL_WHEEL, 1)])
            #expect(device.frame.keys == [KeyChange(code: UInt16(KEY_HOMEPAGE), action: .pressed)])
            #expect(device.frame.scroll == nil)
        }
    }

    @Test("A press in a report cut by SYN_DROPPED causes no late click; a release counts")
    func droppedPress() {
        var device = Feed(.mouse)
        _ = device.report([.key(BTN_LEFT, 1), .dropped, .key(BTN_LEFT, 0)])
        #expect(device.report([.key(BTN_LEFT, 0)]) == [])
        _ = device.report([.key(BTN_LEFT, 1)])
        _ = device.report([.key(BTN_LEFT, 0), .key(BTN_LEFT, 1), .dropped])
        _ = device.report([])
        #expect(device.frame.keys == [KeyChange(code: UInt16(BTN_LEFT), action: .released)])
        #expect(device.cancelAll() == [])
    }

    @Test("An accelerometer's axes are in g")
    func accelerometer() {
        var device = Feed(.accelerometer)
        _ = device.report([.singleX(512), .absolute(ABS_Z, -256)])
        #expect(device.frame.acceleration == Acceleration(x: 2, y: 0, z: -1))
    }
}
