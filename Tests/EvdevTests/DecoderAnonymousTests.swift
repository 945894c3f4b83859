import CLinux
import Evdev
import Testing

@Suite("Protocol A")
struct DecoderAnonymousTests {
    @Test("A report lists all contacts; identities are assigned by the smallest movement")
    func pairsByDistance() {
        var device = Feed(.anonymous)
        #expect(
            device.report([.x(10), .y(10), .endOfContact, .x(90), .y(90), .endOfContact])
                == [["began 1 slot 0 id 0 at 10,10", "began 2 slot 1 id 1 at 90,90"]])
        #expect(
            device.report([.x(88), .y(90), .endOfContact, .x(11), .y(10), .endOfContact])
                == [["moved 2 slot 1 id 1 at 88,90", "moved 1 slot 0 id 0 at 11,10"]])
    }

    @Test("A contact missing from a report has ended")
    func leftOut() {
        var device = Feed(.anonymous)
        _ = device.report([.x(10), .y(10), .endOfContact, .x(90), .y(90), .endOfContact])
        #expect(device.report([.x(90), .y(90), .endOfContact]) == [["ended 1 slot 0 id 0 at 10,10"]])
    }

    @Test(
        "An empty contact, BTN_TOUCH 0 or ABS_PRESSURE 0 ends them all",
        arguments: [
            [Feed.Event.endOfContact], [.key(BTN_TOUCH, 0)], [.absolute(ABS_PRESSURE, 0)],
        ])
    func endsAll(_ last: [Feed.Event]) {
        var device = Feed(.anonymous)
        _ = device.report([.x(10), .y(10), .endOfContact])
        #expect(device.report(last) == [["ended 1 slot 0 id 0 at 10,10"]])
    }

    @Test("A report without contact events, such as for a button, does not affect contacts")
    func noNews() {
        var device = Feed(.anonymous)
        _ = device.report([.x(10), .y(10), .endOfContact])
        #expect(device.report([.key(KEY_HOMEPAGE, 1)]) == [[]])
        #expect(device.report([.endOfContact]) == [["ended 1 slot 0 id 0 at 10,10"]])
    }

    @Test("Contacts before SYN_DROPPED are not counted again with those after it")
    func dropped() {
        var device = Feed(.anonymous)
        #expect(device.report([.x(10), .y(10), .endOfContact, .dropped, .x(50), .y(50), .endOfContact]) == [])
        #expect(device.report([.x(11), .y(10), .endOfContact]) == [["began 1 slot 0 id 0 at 11,10"]])
    }

    @Test("Any number of contacts in a report counts, even if all change at once")
    func flood() {
        var device = Feed(.anonymous)
        let many = (0..<400).flatMap { [.x($0 % 100), .y($0 / 4), Feed.Event.endOfContact] }
        #expect(device.report(many).first?.count == 400)
        let others = (0..<300).flatMap { [.x(5000 + $0), .y(-3000 - $0), Feed.Event.endOfContact] }
        #expect(device.report(others).first?.count == 400)
        #expect(device.report([.endOfContact]).first?.count == 300)
    }

    @Test("Tracking ids identify a device's contacts, not the order in a report")
    func trackingIDs() {
        var device = Feed(.anonymousWithIDs)
        #expect(
            device.report([
                .trackingID(7), .x(10), .y(10), .endOfContact, .trackingID(9), .x(90), .y(90), .endOfContact,
            ]) == [["began 1 slot 0 id 7 at 10,10", "began 2 slot 1 id 9 at 90,90"]])
        #expect(
            device.report([
                .trackingID(9), .x(10), .y(10), .endOfContact, .trackingID(7), .x(90), .y(90), .endOfContact,
            ]) == [["moved 2 slot 1 id 9 at 10,10", "moved 1 slot 0 id 7 at 90,90"]])
        #expect(
            device.report([.trackingID(9), .x(10), .y(10), .endOfContact]) == [["ended 1 slot 0 id 7 at 90,90"]])
    }

    @Test("A contact with ABS_MT_TOUCH_MAJOR 0 is lifted, with and without a tracking id")
    func zeroMajor() {
        var ids = Feed(.anonymousWithIDs)
        #expect(
            ids.report([.trackingID(0), .major(1), .x(10), .y(20), .endOfContact])
                == [["began 1 slot 0 id 0 at 10,20"]])
        #expect(
            ids.report([.trackingID(0), .major(0), .x(11), .y(20), .endOfContact])
                == [["ended 1 slot 0 id 0 at 10,20"]])
        #expect(
            ids.report([.trackingID(0), .major(1), .x(30), .y(40), .endOfContact])
                == [["began 2 slot 0 id 0 at 30,40"]])

        var none = Feed(.anonymous)
        _ = none.report([.major(3), .x(10), .y(20), .endOfContact])
        #expect(
            none.report([.major(0), .x(10), .y(20), .endOfContact]) == [["ended 1 slot 0 id 0 at 10,20"]])
    }

    @Test("A device that announces tracking ids but sends none is read without them")
    func announcedIDs() {
        var device = Feed(.anonymousWithIDs)
        #expect(device.report([.x(10), .y(10), .endOfContact]) == [["began 1 slot 0 id 0 at 10,10"]])
        #expect(device.report([.x(12), .y(10), .endOfContact]) == [["moved 1 slot 0 id 0 at 12,10"]])
        #expect(device.report([.endOfContact]) == [["ended 1 slot 0 id 0 at 12,10"]])
    }

    @Test("Contacts that cross are paired by the smallest sum of squared movements")
    func leastSum() {
        var device = Feed(.anonymous)
        _ = device.report([.x(0), .y(0), .endOfContact, .x(10), .y(0), .endOfContact, .x(20), .y(0), .endOfContact])
        // Pairing the nearest first (10 to 12) would send the others across the surface.
        #expect(
            device.report([
                .x(12), .y(0), .endOfContact, .x(22), .y(0), .endOfContact, .x(4), .y(0), .endOfContact,
            ]) == [["moved 2 slot 1 id 1 at 12,0", "moved 3 slot 2 id 2 at 22,0", "moved 1 slot 0 id 0 at 4,0"]])
        #expect(
            device.report([.x(9), .y(0), .endOfContact, .x(13), .y(0), .endOfContact, .x(19), .y(0), .endOfContact])
                == [["moved 1 slot 0 id 0 at 9,0", "moved 2 slot 1 id 1 at 13,0", "moved 3 slot 2 id 2 at 19,0"]])
    }

    @Test("A contact without x, without y or without its SYN_MT_REPORT is dropped")
    func incomplete() {
        var device = Feed(.anonymous)
        #expect(device.report([.x(10), .endOfContact, .y(20), .endOfContact, .x(1), .y(2)]) == [])
    }
}
