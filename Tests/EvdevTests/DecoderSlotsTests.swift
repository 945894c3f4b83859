import CLinux
import Evdev
import Testing

@Suite("Protocol B")
struct DecoderSlotsTests {
    @Test("A contact begins with its first report and ends at its last position")
    func lifeOfAContact() {
        var device = Feed(.slots)
        #expect(device.report([.trackingID(7), .x(10), .y(20)]) == [["began 1 slot 0 id 7 at 10,20"]])
        #expect(device.report([.x(11)]) == [["moved 1 slot 0 id 7 at 11,20"]])
        #expect(device.report([.trackingID(-1)]) == [["ended 1 slot 0 id 7 at 11,20"]])
    }

    @Test("A report without changes makes no frame")
    func emptyReport() {
        var device = Feed(.slots)
        #expect(device.report([]) == [])
        #expect(device.report([.trackingID(1), .x(1), .y(1)]).count == 1)
        #expect(device.report([.x(1)]) == [])
    }

    @Test("A slot keeps x and y, so a new contact may omit them")
    func slotKeepsPosition() {
        var device = Feed(.slots)
        _ = device.report([.trackingID(1), .x(10), .y(20)])
        _ = device.report([.trackingID(-1)])
        #expect(device.report([.trackingID(2), .y(25)]) == [["began 2 slot 0 id 2 at 10,25"]])
    }

    @Test("Contacts keep the order of their slots in the report")
    func orderOfSlots() {
        var device = Feed(.slots)
        let frames = device.report([
            .slot(3), .trackingID(1), .x(3), .y(3), .slot(0), .trackingID(2), .x(0), .y(0), .slot(3), .x(4),
        ])
        #expect(frames == [["began 1 slot 3 id 1 at 4,3", "began 2 slot 0 id 2 at 0,0"]])
    }

    @Test("-1 and a new id in one report end one contact and begin another")
    func liftedAndTouchedInOneReport() {
        var device = Feed(.slots)
        _ = device.report([.trackingID(1), .x(10), .y(20)])
        #expect(
            device.report([.trackingID(-1), .trackingID(2), .x(30)])
                == [["ended 1 slot 0 id 1 at 10,20", "began 2 slot 0 id 2 at 30,20"]])
    }

    @Test("A new id without -1 ends one contact and begins another")
    func changedWithoutRelease() {
        var device = Feed(.slots)
        _ = device.report([.trackingID(1), .x(10), .y(20)])
        #expect(
            device.report([.trackingID(2), .x(30)])
                == [["ended 1 slot 0 id 1 at 10,20", "began 2 slot 0 id 2 at 30,20"]])
    }

    @Test("An id without a SYN_REPORT is not a contact")
    func idBetweenReports() {
        var device = Feed(.slots)
        #expect(device.report([.trackingID(1), .x(10), .y(20), .trackingID(-1)]) == [])
        #expect(device.report([.x(11)]) == [])
    }

    @Test("Of two ids in one report, the one without a position is no contact")
    func twoIDsInOneReport() {
        var device = Feed(.slots)
        _ = device.report([.trackingID(1), .x(10), .y(20)])
        _ = device.report([.trackingID(-1)])
        #expect(
            device.report([.trackingID(2), .trackingID(3), .x(70), .y(80)])
                == [["began 2 slot 0 id 3 at 70,80"]])
        #expect(
            device.report([.trackingID(4), .trackingID(5), .x(30)])
                == [["ended 2 slot 0 id 3 at 70,80", "began 3 slot 0 id 5 at 30,80"]])
    }

    @Test("Events for a slot without contact are stored but make no contact")
    func slotWithoutContact() {
        var device = Feed(.slots)
        #expect(device.report([.slot(1), .x(5), .y(6)]) == [])
        #expect(device.report([.trackingID(9)]) == [["began 1 slot 1 id 9 at 5,6"]])
    }

    @Test("An impossible slot costs no memory and makes no contact", arguments: [-1, 1024, Int32.max, Int32.min])
    func absurdSlot(_ slot: Int32) {
        var device = Feed(.slots)
        #expect(device.report([.slot(slot), .trackingID(9), .x(5)]) == [])
    }

    @Test("After SYN_DROPPED the next report is ignored, and the old state stays")
    func dropped() {
        var device = Feed(.slots)
        _ = device.report([.trackingID(1), .x(10), .y(20)])
        #expect(device.report([.dropped, .trackingID(-1), .x(99)]) == [])
        #expect(device.report([.y(21)]) == [["moved 1 slot 0 id 1 at 10,21"]])
    }

    @Test("A contact that began in a report cut by SYN_DROPPED causes no late tap")
    func cutBeginning() {
        var device = Feed(.slots)
        #expect(device.report([.trackingID(1), .x(10), .y(20), .dropped]) == [])
        #expect(device.report([.x(11)]) == [])
        #expect(device.report([.trackingID(-1)]) == [])
        #expect(device.report([.trackingID(2)]) == [["began 1 slot 0 id 2 at 11,20"]])
    }

    @Test("A contact that ended in a report cut by SYN_DROPPED causes no late tap")
    func cutEnd() {
        var device = Feed(.slots)
        _ = device.report([.trackingID(1), .x(10), .y(20)])
        #expect(device.report([.trackingID(2), .x(30), .dropped]) == [])
        #expect(device.report([.slot(1)]) == [["ended 1 slot 0 id 1 at 10,20"]])
    }

    @Test("A contact that becomes a palm is cancelled and then ignored")
    func palm() {
        var device = Feed(.slots)
        _ = device.report([.trackingID(1), .x(10), .y(20)])
        #expect(device.report([.tool(2), .x(11)]) == [["cancelled 1 slot 0 id 1 at 10,20"]])
        #expect(device.report([.tool(0), .x(12)]) == [])
        #expect(device.report([.trackingID(-1)]) == [])
        #expect(device.report([.trackingID(2)]) == [["began 2 slot 0 id 2 at 12,20"]])
    }

    @Test("A contact that starts as a palm never begins")
    func bornAsPalm() {
        var device = Feed(.slots)
        #expect(device.report([.trackingID(1), .tool(2), .x(10), .y(20)]) == [])
        #expect(device.report([.tool(0), .x(11)]) == [])
        #expect(device.report([.trackingID(-1)]) == [])
    }

    @Test("A hovering contact begins at distance 0 and ends when it rises")
    func hover() {
        var device = Feed(.slots)
        #expect(device.report([.trackingID(1), .distance(1), .x(10), .y(20)]) == [])
        #expect(device.report([.distance(0)]) == [["began 1 slot 0 id 1 at 10,20"]])
        #expect(device.report([.distance(1), .x(11)]) == [["ended 1 slot 0 id 1 at 10,20"]])
        #expect(device.report([.distance(0)]) == [["began 2 slot 0 id 1 at 11,20"]])
    }

    @Test("cancelAll cancels each touch once; a finger that stays is ignored until lifted")
    func cancelAll() {
        var device = Feed(.slots)
        _ = device.report([.trackingID(1), .x(10), .y(20), .slot(1), .trackingID(2), .x(1), .y(2)])
        #expect(
            device.cancelAll() == [["cancelled 1 slot 0 id 1 at 10,20", "cancelled 2 slot 1 id 2 at 1,2"]])
        #expect(device.cancelAll() == [])
        #expect(device.report([.x(3)]) == [])
        #expect(device.report([.trackingID(-1)]) == [])
        #expect(device.report([.trackingID(3)]) == [["began 3 slot 1 id 3 at 3,2"]])
    }

    @Test("A touch at the maximum is inside the surface; other values are clamped")
    func edges() {
        var device = Feed(.slots)
        _ = device.report([.trackingID(1), .x(99), .y(-5)])
        #expect(device.contacts[0].position == SurfacePoint(x: 0.99, y: 0))
        _ = device.report([.x(5000)])
        #expect(device.contacts[0].position.x < 1 && device.contacts[0].position.x > 0.999)
    }

    @Test("Once warm, a moving contact allocates no memory for the frame's arrays")
    func keepsCapacity() {
        var device = Feed(.slots)
        _ = device.report([.trackingID(1), .x(10), .y(20)])
        let first = device.contactBuffer
        _ = device.report([.x(11)])
        let second = device.contactBuffer
        // Frame and decoder each have an array and exchange them with every report.
        for x in 12..<60 {
            _ = device.report([.x(Int32(x))])
            #expect(device.contactBuffer == (x % 2 == 0 ? first : second))
        }
    }
}

@Suite("Single touch")
struct DecoderSingleTouchTests {
    @Test("BTN_TOUCH begins and ends a contact at ABS_X and ABS_Y")
    func touchKey() {
        var device = Feed(.single)
        #expect(device.report([.singleX(10), .singleY(20)]) == [])
        #expect(device.report([.key(BTN_TOUCH, 1)]) == [["began 1 slot 0 id 0 at 10,20"]])
        #expect(device.report([.singleX(12)]) == [["moved 1 slot 0 id 0 at 12,20"]])
        #expect(device.report([.key(BTN_TOUCH, 0), .singleX(13)]) == [["ended 1 slot 0 id 0 at 12,20"]])
    }

    @Test("A tap inside one report is a contact that begins and ends")
    func tapInOneReport() {
        var device = Feed(.single)
        #expect(
            device.report([.singleX(1), .singleY(2), .key(BTN_TOUCH, 1), .key(BTN_TOUCH, 0)])
                == [["began 1 slot 0 id 0 at 1,2"], ["ended 1 slot 0 id 0 at 1,2"]])
    }

    @Test("A press of BTN_TOUCH in a report cut by SYN_DROPPED causes no late tap")
    func cutByDropped() {
        var device = Feed(.single)
        #expect(device.report([.singleX(1), .singleY(2), .key(BTN_TOUCH, 1), .dropped]) == [])
        #expect(device.report([.key(BTN_TOUCH, 0)]) == [])
        #expect(device.report([.key(BTN_TOUCH, 1)]) == [["began 1 slot 0 id 1 at 1,2"]])
    }

    @Test("A repeated BTN_TOUCH is not a new contact")
    func repeated() {
        var device = Feed(.single)
        _ = device.report([.key(BTN_TOUCH, 1)])
        #expect(device.report([.key(BTN_TOUCH, 2)]) == [])
        #expect(device.report([.key(BTN_TOUCH, 1)]) == [])
    }
}
