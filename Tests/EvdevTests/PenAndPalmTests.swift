import CLinux
import Evdev
import Testing

@Suite("Pens and palms")
struct PenAndPalmTests {
    @Test("A pen in range cancels touches, and new ones are ignored until lifted")
    func penInRange() {
        var device = Feed(.slots, keys: [BTN_TOUCH, BTN_TOOL_PEN])
        #expect(device.report([.trackingID(1), .x(10), .y(20)]) == [["began 1 slot 0 id 1 at 10,20"]])
        #expect(device.report([.key(BTN_TOOL_PEN, 1), .singleX(50)]) == [["cancelled 1 slot 0 id 1 at 10,20"]])
        #expect(device.report([.x(11), .slot(1), .trackingID(2), .x(30), .y(40)]) == [])
        #expect(device.report([.key(BTN_TOOL_PEN, 0)]) == [])
        #expect(device.report([.x(31), .slot(0), .x(12)]) == [])
        #expect(device.report([.trackingID(-1), .slot(1), .trackingID(-1)]) == [])
        #expect(device.report([.trackingID(3), .x(60)]) == [["began 2 slot 1 id 3 at 60,40"]])
    }

    @Test("With cancel-all a palm cancels every touch, and none begins until it lifts")
    func cancelAll() {
        var device = Feed(.slots, palms: .cancelAll)
        #expect(device.report([.trackingID(1), .x(10), .y(20)]) == [["began 1 slot 0 id 1 at 10,20"]])
        #expect(
            device.report([.slot(1), .trackingID(2), .tool(2), .x(90), .y(90)])
                == [["cancelled 1 slot 0 id 1 at 10,20"]])
        #expect(device.report([.slot(2), .trackingID(3), .x(30), .y(40)]) == [])
        #expect(device.report([.slot(1), .trackingID(-1)]) == [])
        #expect(device.report([.slot(2), .x(31)]) == [])
        #expect(device.report([.trackingID(4)]) == [["began 2 slot 2 id 4 at 31,40"]])
    }

    @Test("A palm touches like a finger if a rule allows it")
    func allow() {
        var device = Feed(.slots, palms: .allow)
        #expect(device.report([.trackingID(1), .tool(2), .x(10), .y(20)]) == [["began 1 slot 0 id 1 at 10,20"]])
    }
}
