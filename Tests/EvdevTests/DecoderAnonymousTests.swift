import CLinux
import Evdev
import Testing

@Suite("Protocol A")
struct DecoderAnonymousTests {
    @Test("A report lists all contacts there are; each keeps its identity by moving least")
    func pairsByDistance() {
        var device = Feed(.anonymous)
        #expect(
            device.report([.x(10), .y(10), .endOfContact, .x(90), .y(90), .endOfContact])
                == [["began 1 slot 0 id 0 at 10,10", "began 2 slot 1 id 1 at 90,90"]])
        #expect(
            device.report([.x(88), .y(90), .endOfContact, .x(11), .y(10), .endOfContact])
                == [["moved 2 slot 1 id 1 at 88,90", "moved 1 slot 0 id 0 at 11,10"]])
    }

    @Test("A contact that a report leaves out has ended")
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

    @Test("A report without contact news, as of a button, says nothing of contacts")
    func noNews() {
        var device = Feed(.anonymous)
        _ = device.report([.x(10), .y(10), .endOfContact])
        #expect(device.report([.key(KEY_HOMEPAGE, 1)]) == [[]])
        #expect(device.report([.endOfContact]) == [["ended 1 slot 0 id 0 at 10,10"]])
    }

    @Test("Contacts before SYN_DROPPED are not counted twice with those after it")
    func dropped() {
        var device = Feed(.anonymous)
        #expect(device.report([.x(10), .y(10), .endOfContact, .dropped, .x(50), .y(50), .endOfContact]) == [])
        #expect(device.report([.x(11), .y(10), .endOfContact]) == [["began 1 slot 0 id 0 at 11,10"]])
    }

    @Test("Of more contacts in one report than any panel has fifteen count, also when all change at once")
    func flood() {
        var device = Feed(.anonymous)
        let many = (0..<400).flatMap { [.x($0 % 100), .y($0 / 4), Feed.Event.endOfContact] }
        #expect(device.report(many).first?.count == 15)
        let others = (0..<400).flatMap { [.x(5000 + $0), .y(-3000 - $0), Feed.Event.endOfContact] }
        #expect(device.report(others).first?.count == 15)
        #expect(device.report([.endOfContact]).first?.count == 15)
    }

    @Test("A contact without x, without y or not closed by SYN_MT_REPORT is none")
    func incomplete() {
        var device = Feed(.anonymous)
        #expect(device.report([.x(10), .endOfContact, .y(20), .endOfContact, .x(1), .y(2)]) == [])
    }
}
