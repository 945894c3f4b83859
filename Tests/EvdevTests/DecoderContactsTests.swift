import CLinux
import Evdev
import Testing

/// Reports of a device, and the contacts in the frames that the decoder makes of them.
struct ContactRule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let device: Feed.Device
    let settings: Feed.Settings
    let steps: [(events: [Feed.Event], contacts: [String])]

    init(
        _ rule: String, _ device: Feed.Device, _ settings: Feed.Settings,
        _ steps: (events: [Feed.Event], contacts: [String])...
    ) {
        (testDescription, self.device, self.settings, self.steps) = (rule, device, settings, steps)
    }

    /// A rule for slots.
    init(_ rule: String, _ steps: (events: [Feed.Event], contacts: [String])...) {
        (testDescription, device, settings, self.steps) = (rule, .slots, Feed.Settings(), steps)
    }

    func check() {
        var feed = Feed(device, settings)
        for (number, step) in steps.enumerated() {
            let contacts = feed.report(step.events).flatMap(\.self)
            #expect(contacts == step.contacts, "\(testDescription), report \(number + 1)")
        }
    }
}

@Suite("Contacts")
struct DecoderContactsTests {
    @Test("Protocol B", arguments: slots)
    func protocolB(_ rule: ContactRule) { rule.check() }

    private static let slots = [
        ContactRule(
            "A contact begins with its first report and ends at its last position",
            ([.trackingID(7), .x(10), .y(20)], ["began 1 slot 0 id 7 at 10,20"]),
            ([.x(11)], ["moved 1 slot 0 id 7 at 11,20"]),
            ([.trackingID(-1)], ["ended 1 slot 0 id 7 at 11,20"])),
        ContactRule(
            "A slot keeps x and y, so a new contact may omit them",
            ([.trackingID(1), .x(10), .y(20)], ["began 1 slot 0 id 1 at 10,20"]),
            ([.trackingID(-1)], ["ended 1 slot 0 id 1 at 10,20"]),
            ([.trackingID(2), .y(25)], ["began 2 slot 0 id 2 at 10,25"])),
        ContactRule(
            "Contacts keep the order of their slots in the report",
            (
                [.slot(3), .trackingID(1), .x(3), .y(3), .slot(0), .trackingID(2), .x(0), .y(0), .slot(3), .x(4)],
                ["began 1 slot 3 id 1 at 4,3", "began 2 slot 0 id 2 at 0,0"]
            )),
        ContactRule(
            "A new id, with or without -1 before it, ends one contact and begins another",
            ([.trackingID(1), .x(10), .y(20)], ["began 1 slot 0 id 1 at 10,20"]),
            (
                [.trackingID(-1), .trackingID(2), .x(30)],
                ["ended 1 slot 0 id 1 at 10,20", "began 2 slot 0 id 2 at 30,20"]
            ),
            ([.trackingID(3), .x(40)], ["ended 2 slot 0 id 2 at 30,20", "began 3 slot 0 id 3 at 40,20"])),
        ContactRule(
            "An id without a SYN_REPORT is not a contact",
            ([.trackingID(1), .x(10), .y(20), .trackingID(-1)], []), ([.x(11)], [])),
        ContactRule(
            "Of two ids in one report, the one without a position is no contact",
            ([.trackingID(1), .x(10), .y(20)], ["began 1 slot 0 id 1 at 10,20"]),
            ([.trackingID(-1)], ["ended 1 slot 0 id 1 at 10,20"]),
            ([.trackingID(2), .trackingID(3), .x(70), .y(80)], ["began 2 slot 0 id 3 at 70,80"]),
            (
                [.trackingID(4), .trackingID(5), .x(30)],
                ["ended 2 slot 0 id 3 at 70,80", "began 3 slot 0 id 5 at 30,80"]
            )),
        ContactRule(
            "Events for a slot without contact are stored but make no contact",
            ([.slot(1), .x(5), .y(6)], []), ([.trackingID(9)], ["began 1 slot 1 id 9 at 5,6"])),
        ContactRule(
            "An impossible slot costs no memory and makes no contact",
            ([.slot(-1), .trackingID(9), .x(5)], []), ([.slot(1024), .trackingID(9), .x(5)], []),
            ([.slot(.max), .trackingID(9), .x(5)], []), ([.slot(.min), .trackingID(9), .x(5)], [])),
        ContactRule(
            "After SYN_DROPPED the next report is ignored, and the old state stays",
            ([.trackingID(1), .x(10), .y(20)], ["began 1 slot 0 id 1 at 10,20"]),
            ([.dropped, .trackingID(-1), .x(99)], []), ([.y(21)], ["moved 1 slot 0 id 1 at 10,21"])),
        ContactRule(
            "A contact that began in a report cut by SYN_DROPPED causes no late tap",
            ([.trackingID(1), .x(10), .y(20), .dropped], []), ([.x(11)], []), ([.trackingID(-1)], []),
            ([.trackingID(2)], ["began 1 slot 0 id 2 at 11,20"])),
        ContactRule(
            "A contact that ended in a report cut by SYN_DROPPED causes no late tap",
            ([.trackingID(1), .x(10), .y(20)], ["began 1 slot 0 id 1 at 10,20"]),
            ([.trackingID(2), .x(30), .dropped], ["ended 1 slot 0 id 1 at 10,20"]), ([.x(31)], [])),
        ContactRule(
            "A contact that becomes a palm is cancelled and then ignored",
            ([.trackingID(1), .x(10), .y(20)], ["began 1 slot 0 id 1 at 10,20"]),
            ([.tool(2), .x(11)], ["cancelled 1 slot 0 id 1 at 10,20"]), ([.tool(0), .x(12)], []),
            ([.trackingID(-1)], []), ([.trackingID(2)], ["began 2 slot 0 id 2 at 12,20"])),
        ContactRule(
            "A contact that starts as a palm never begins",
            ([.trackingID(1), .tool(2), .x(10), .y(20)], []), ([.tool(0), .x(11)], []), ([.trackingID(-1)], [])),
        ContactRule(
            "A dial that stands on the screen is no finger, also if palms may touch", .slots, .init(palms: .allow),
            ([.trackingID(1), .tool(10), .x(10), .y(20)], []), ([.x(11)], []), ([.trackingID(-1)], []),
            ([.trackingID(2), .tool(0)], ["began 1 slot 0 id 2 at 11,20"])),
        ContactRule(
            "With cancel-all a palm cancels every touch, and none begins until it lifts",
            .slots, .init(palms: .cancelAll),
            ([.trackingID(1), .x(10), .y(20)], ["began 1 slot 0 id 1 at 10,20"]),
            ([.slot(1), .trackingID(2), .tool(2), .x(90), .y(90)], ["cancelled 1 slot 0 id 1 at 10,20"]),
            ([.slot(2), .trackingID(3), .x(30), .y(40)], []), ([.slot(1), .trackingID(-1)], []),
            ([.slot(2), .x(31)], []), ([.trackingID(4)], ["began 2 slot 2 id 4 at 31,40"])),
        ContactRule(
            "A palm touches like a finger if a rule allows it", .slots, .init(palms: .allow),
            ([.trackingID(1), .tool(2), .x(10), .y(20)], ["began 1 slot 0 id 1 at 10,20"])),
        ContactRule(
            "A pen in range cancels touches, and new ones are ignored until lifted",
            .slots, .init(keys: [BTN_TOUCH, BTN_TOOL_PEN]),
            ([.trackingID(1), .x(10), .y(20)], ["began 1 slot 0 id 1 at 10,20"]),
            ([.key(BTN_TOOL_PEN, 1), .singleX(50)], ["cancelled 1 slot 0 id 1 at 10,20"]),
            ([.x(11), .slot(1), .trackingID(2), .x(30), .y(40)], []), ([.key(BTN_TOOL_PEN, 0)], []),
            ([.x(31), .slot(0), .x(12)], []), ([.trackingID(-1), .slot(1), .trackingID(-1)], []),
            ([.trackingID(3), .x(60)], ["began 2 slot 1 id 3 at 60,40"])),
        ContactRule(
            "A palm that lifts refuses no later contact with its id",
            ([.trackingID(0), .tool(2), .x(10), .y(20)], []), ([.trackingID(-1)], []),
            ([.trackingID(0), .tool(0)], ["began 1 slot 0 id 0 at 10,20"]),
            ([.trackingID(-1)], ["ended 1 slot 0 id 0 at 10,20"]),
            ([.trackingID(0)], ["began 2 slot 0 id 0 at 10,20"])),
        ContactRule(
            "A refusal ends when another contact takes the slot, even one that hovers",
            ([.trackingID(0), .tool(2), .x(10), .y(20)], []), ([.trackingID(1), .tool(0), .distance(5)], []),
            ([.trackingID(0), .distance(0)], ["began 1 slot 0 id 0 at 10,20"])),
        ContactRule(
            "A finger that a pen refused touches again after its lift, with the same id",
            .slots, .init(keys: [BTN_TOUCH, BTN_TOOL_PEN]),
            ([.trackingID(0), .x(10), .y(20)], ["began 1 slot 0 id 0 at 10,20"]),
            ([.key(BTN_TOOL_PEN, 1)], ["cancelled 1 slot 0 id 0 at 10,20"]),
            ([.key(BTN_TOOL_PEN, 0), .trackingID(-1)], []),
            ([.trackingID(0)], ["began 2 slot 0 id 0 at 10,20"])),
        ContactRule(
            "B25 a report is simultaneous: ends come before moves, and moves before beginnings",
            (
                [.slot(1), .trackingID(1), .x(1), .y(1), .slot(2), .trackingID(2), .x(2), .y(2)],
                ["began 1 slot 1 id 1 at 1,1", "began 2 slot 2 id 2 at 2,2"]
            ),
            (
                [.slot(0), .trackingID(3), .x(5), .y(5), .slot(1), .x(3), .slot(2), .trackingID(-1)],
                ["ended 2 slot 2 id 2 at 2,2", "moved 1 slot 1 id 1 at 3,1", "began 3 slot 0 id 3 at 5,5"]
            )),
        ContactRule(
            "The same id after -1 in one report is the same contact; one that came and went is none",
            ([.trackingID(0), .x(10), .y(20)], ["began 1 slot 0 id 0 at 10,20"]),
            ([.trackingID(-1), .trackingID(0), .x(12)], ["moved 1 slot 0 id 0 at 12,20"]),
            ([.slot(1), .trackingID(1), .x(5), .y(5), .trackingID(-1)], [])),
        ContactRule(
            "A hovering contact begins at distance 0 and ends when it rises",
            ([.trackingID(1), .distance(1), .x(10), .y(20)], []),
            ([.distance(0)], ["began 1 slot 0 id 1 at 10,20"]),
            ([.distance(1), .x(11)], ["ended 1 slot 0 id 1 at 10,20"]),
            ([.distance(0)], ["began 2 slot 0 id 1 at 11,20"])),
    ]

    @Test("Protocol A", arguments: anonymous)
    func protocolA(_ rule: ContactRule) { rule.check() }

    private static let begun = (
        events: [.x(10), .y(10), .endOfContact, .x(90), .y(90), .endOfContact] as [Feed.Event],
        contacts: ["began 1 slot 0 id 0 at 10,10", "began 2 slot 1 id 1 at 90,90"]
    )
    private static let ended = ["ended 1 slot 0 id 0 at 10,10", "ended 2 slot 1 id 1 at 90,90"]

    private static let anonymous = [
        ContactRule(
            "A report lists all contacts; identities are assigned by the smallest movement", .anonymous, .init(), begun,
            (
                [.x(88), .y(90), .endOfContact, .x(11), .y(10), .endOfContact],
                ["moved 2 slot 1 id 1 at 88,90", "moved 1 slot 0 id 0 at 11,10"]
            )),
        ContactRule(
            "A contact missing from a report has ended", .anonymous, .init(), begun,
            ([.x(90), .y(90), .endOfContact], ["ended 1 slot 0 id 0 at 10,10"])),
        ContactRule("An empty contact ends them all", .anonymous, .init(), begun, ([.endOfContact], ended)),
        ContactRule("BTN_TOUCH 0 ends them all", .anonymous, .init(), begun, ([.key(BTN_TOUCH, 0)], ended)),
        ContactRule("ABS_PRESSURE 0 ends them all", .anonymous, .init(), begun, ([.absolute(ABS_PRESSURE, 0)], ended)),
        ContactRule(
            "A report without contact events, such as for a button, does not affect contacts", .anonymous, .init(),
            begun, ([.key(KEY_HOMEPAGE, 1)], []), ([.endOfContact], ended)),
        ContactRule(
            "Contacts before SYN_DROPPED are not counted again with those after it", .anonymous, .init(),
            ([.x(10), .y(10), .endOfContact, .dropped, .x(50), .y(50), .endOfContact], []),
            ([.x(11), .y(10), .endOfContact], ["began 1 slot 0 id 0 at 11,10"])),
        ContactRule(
            "Tracking ids identify a device's contacts, not the order in a report", .anonymousWithIDs, .init(),
            (
                [.trackingID(7), .x(10), .y(10), .endOfContact, .trackingID(9), .x(90), .y(90), .endOfContact],
                ["began 1 slot 0 id 7 at 10,10", "began 2 slot 1 id 9 at 90,90"]
            ),
            (
                [.trackingID(9), .x(10), .y(10), .endOfContact, .trackingID(7), .x(90), .y(90), .endOfContact],
                ["moved 2 slot 1 id 9 at 10,10", "moved 1 slot 0 id 7 at 90,90"]
            ),
            ([.trackingID(9), .x(10), .y(10), .endOfContact], ["ended 1 slot 0 id 7 at 90,90"])),
        ContactRule(
            "A contact with ABS_MT_TOUCH_MAJOR 0 is lifted, with a tracking id", .anonymousWithIDs, .init(),
            ([.trackingID(0), .major(1), .x(10), .y(20), .endOfContact], ["began 1 slot 0 id 0 at 10,20"]),
            ([.trackingID(0), .major(0), .x(11), .y(20), .endOfContact], ["ended 1 slot 0 id 0 at 10,20"]),
            ([.trackingID(0), .major(1), .x(30), .y(40), .endOfContact], ["began 2 slot 0 id 0 at 30,40"])),
        ContactRule(
            "A contact with ABS_MT_TOUCH_MAJOR 0 is lifted, without a tracking id", .anonymous, .init(),
            ([.major(3), .x(10), .y(20), .endOfContact], ["began 1 slot 0 id 0 at 10,20"]),
            ([.major(0), .x(10), .y(20), .endOfContact], ["ended 1 slot 0 id 0 at 10,20"])),
        ContactRule(
            "A panel whose ABS_MT_TOUCH_MAJOR is always 0 touches, with a tracking id", .anonymousWithIDs, .init(),
            ([.trackingID(0), .major(0), .x(10), .y(20), .endOfContact], ["began 1 slot 0 id 0 at 10,20"]),
            ([.trackingID(0), .major(0), .x(11), .y(20), .endOfContact], ["moved 1 slot 0 id 0 at 11,20"]),
            ([.key(BTN_TOUCH, 0)], ["ended 1 slot 0 id 0 at 11,20"])),
        ContactRule(
            "A panel whose ABS_MT_TOUCH_MAJOR is always 0 touches, without a tracking id", .anonymous, .init(),
            ([.major(0), .x(10), .y(20), .endOfContact], ["began 1 slot 0 id 0 at 10,20"]),
            ([.major(0), .x(11), .y(20), .endOfContact], ["moved 1 slot 0 id 0 at 11,20"]),
            ([.endOfContact], ["ended 1 slot 0 id 0 at 11,20"])),
        ContactRule(
            "An area of 0 that is repeated after it lifted a contact begins no other", .anonymousWithIDs, .init(),
            ([.trackingID(0), .major(1), .x(10), .y(20), .endOfContact], ["began 1 slot 0 id 0 at 10,20"]),
            ([.trackingID(0), .major(0), .x(10), .y(20), .endOfContact], ["ended 1 slot 0 id 0 at 10,20"]),
            ([.trackingID(0), .major(0), .x(11), .y(20), .endOfContact], []),
            ([.trackingID(0), .major(0), .x(11), .y(20), .endOfContact], []),
            ([.trackingID(0), .major(2), .x(30), .y(40), .endOfContact], ["began 2 slot 0 id 0 at 30,40"])),
        ContactRule(
            "The lift of a finger that was down at opening, by an area of 0, is no part of the next touch", .anonymous,
            .init(),
            ([.major(0), .x(10), .y(20), .endOfContact], ["began 1 slot 0 id 0 at 10,20"]),
            (
                [.major(2), .x(30), .y(40), .endOfContact],
                ["cancelled 1 slot 0 id 0 at 10,20", "began 2 slot 0 id 0 at 30,40"]
            ),
            ([.major(0), .x(30), .y(40), .endOfContact], ["ended 2 slot 0 id 0 at 30,40"]),
            ([.major(2), .x(50), .y(60), .endOfContact], ["began 3 slot 0 id 1 at 50,60"])),
        ContactRule(
            "So it is with a tracking id", .anonymousWithIDs, .init(),
            ([.trackingID(0), .major(0), .x(10), .y(20), .endOfContact], ["began 1 slot 0 id 0 at 10,20"]),
            (
                [.trackingID(0), .major(2), .x(30), .y(40), .endOfContact],
                ["cancelled 1 slot 0 id 0 at 10,20", "began 2 slot 0 id 0 at 30,40"]
            ),
            ([.trackingID(0), .major(0), .x(30), .y(40), .endOfContact], ["ended 2 slot 0 id 0 at 30,40"])),
        ContactRule(
            "A report of ABS_MT_TOUCH_MAJOR 0 alone lifts; other axes without SYN_MT_REPORT change nothing",
            .anonymousWithIDs, .init(),
            ([.trackingID(0), .major(3), .x(10), .y(20), .endOfContact], ["began 1 slot 0 id 0 at 10,20"]),
            ([.major(4)], []), ([.x(50)], []), ([.major(0), .x(50), .y(50)], []),
            ([.major(0)], ["ended 1 slot 0 id 0 at 10,20"]),
            ([.trackingID(0), .major(3), .x(30), .y(40), .endOfContact], ["began 2 slot 0 id 0 at 30,40"])),
        ContactRule(
            "A device that announces tracking ids but sends none is read without them", .anonymousWithIDs, .init(),
            ([.x(10), .y(10), .endOfContact], ["began 1 slot 0 id 0 at 10,10"]),
            ([.x(12), .y(10), .endOfContact], ["moved 1 slot 0 id 0 at 12,10"]),
            ([.endOfContact], ["ended 1 slot 0 id 0 at 12,10"])),
        // Pairing the nearest first (10 to 12) would send the others across the surface.
        ContactRule(
            "Contacts that cross are paired by the smallest sum of squared movements", .anonymous, .init(),
            (
                [.x(0), .y(0), .endOfContact, .x(10), .y(0), .endOfContact, .x(20), .y(0), .endOfContact],
                ["began 1 slot 0 id 0 at 0,0", "began 2 slot 1 id 1 at 10,0", "began 3 slot 2 id 2 at 20,0"]
            ),
            (
                [.x(12), .y(0), .endOfContact, .x(22), .y(0), .endOfContact, .x(4), .y(0), .endOfContact],
                ["moved 2 slot 1 id 1 at 12,0", "moved 3 slot 2 id 2 at 22,0", "moved 1 slot 0 id 0 at 4,0"]
            ),
            (
                [.x(9), .y(0), .endOfContact, .x(13), .y(0), .endOfContact, .x(19), .y(0), .endOfContact],
                ["moved 1 slot 0 id 0 at 9,0", "moved 2 slot 1 id 1 at 13,0", "moved 3 slot 2 id 2 at 19,0"]
            )),
        ContactRule(
            "A palm that lifts refuses no later contact with its id", .anonymousWithIDs, .init(),
            ([.trackingID(0), .tool(2), .x(10), .y(20), .endOfContact], []), ([.endOfContact], []),
            ([.trackingID(0), .x(10), .y(20), .endOfContact], ["began 1 slot 0 id 0 at 10,20"])),
        ContactRule(
            "A contact without x, without y or without its SYN_MT_REPORT is dropped", .anonymous, .init(),
            ([.x(10), .endOfContact, .y(20), .endOfContact, .x(1), .y(2)], [])),
    ]

    @Test("Single touch", arguments: single)
    func singleTouch(_ rule: ContactRule) { rule.check() }

    private static let single = [
        ContactRule(
            "BTN_TOUCH begins and ends a contact at ABS_X and ABS_Y", .single, .init(),
            ([.singleX(10), .singleY(20)], []), ([.key(BTN_TOUCH, 1)], ["began 1 slot 0 id 0 at 10,20"]),
            ([.singleX(12)], ["moved 1 slot 0 id 0 at 12,20"]),
            ([.key(BTN_TOUCH, 0), .singleX(13)], ["ended 1 slot 0 id 0 at 12,20"])),
        ContactRule(
            "A press of BTN_TOUCH in a report cut by SYN_DROPPED causes no late tap", .single, .init(),
            ([.singleX(1), .singleY(2), .key(BTN_TOUCH, 1), .dropped], []), ([.key(BTN_TOUCH, 0)], []),
            ([.key(BTN_TOUCH, 1)], ["began 1 slot 0 id 1 at 1,2"])),
        ContactRule(
            "A repeated BTN_TOUCH is not a new contact; without a position it is at the panel's last one", .single,
            .init(), ([.key(BTN_TOUCH, 1)], ["began 1 slot 0 id 0 at 0,0"]), ([.key(BTN_TOUCH, 2)], []),
            ([.key(BTN_TOUCH, 1)], [])),
        ContactRule(
            "A panel without BTN_TOUCH touches while it reports pressure", .pressure, .init(),
            ([.singleX(5), .singleY(6), .absolute(ABS_PRESSURE, 3)], ["began 1 slot 0 id 0 at 5,6"]),
            ([.absolute(ABS_PRESSURE, 0)], ["ended 1 slot 0 id 0 at 5,6"])),
        ContactRule(
            "A contact below the pressure threshold does not touch", .pressure, .init(pressureThreshold: 0.5),
            ([.singleX(5), .singleY(6), .absolute(ABS_PRESSURE, 30)], []),
            ([.absolute(ABS_PRESSURE, 60)], ["began 1 slot 0 id 0 at 5,6"]),
            // It touches until its pressure is below half of the threshold, so noise around that makes no taps.
            ([.absolute(ABS_PRESSURE, 40)], ["moved 1 slot 0 id 0 at 5,6"]),
            ([.absolute(ABS_PRESSURE, 24)], ["ended 1 slot 0 id 0 at 5,6"]), ([.absolute(ABS_PRESSURE, 40)], [])),
        ContactRule(
            "A finger that pressed before the panel was opened is no touch until it lifts", .pressure,
            .init(pressure: 30), ([.singleX(5), .singleY(6), .absolute(ABS_PRESSURE, 40)], []),
            ([.absolute(ABS_PRESSURE, 0)], []), ([.absolute(ABS_PRESSURE, 40)], ["began 1 slot 0 id 1 at 5,6"])),
    ]

    @Test("A pressure exactly at the threshold touches", arguments: [(0.2, 20), (0.07, 7)] as [(Double, Int32)])
    func exactThreshold(_ threshold: Double, _ pressure: Int32) {
        let range = AxisInfo(minimum: 0, maximum: 100)
        var device = Feed(.pressure, .init(range: range, pressureThreshold: threshold))
        #expect(device.report([.singleX(5), .absolute(ABS_PRESSURE, pressure - 1)]) == [])
        #expect(device.report([.absolute(ABS_PRESSURE, pressure)]).count == 1)
    }

    @Test("Of protocol A, the contacts of the first report after opening may have been down before")
    func downAtOpening() {
        var device = Feed(.anonymous)
        device.adoptContacts()
        #expect(device.report([.x(10), .y(20), .endOfContact]) == [])
        #expect(device.report([.x(11), .y(20), .endOfContact]) == [])
        #expect(
            device.report([.x(11), .y(20), .endOfContact, .x(80), .y(80), .endOfContact])
                == [["began 1 slot 1 id 1 at 80,80"]])
        _ = device.report([.endOfContact])
        #expect(device.report([.x(10), .y(20), .endOfContact]).first?.first?.hasPrefix("began 2") == true)
    }

    @Test("Of protocol A without BTN_TOUCH, the first finger half a second after opening touches")
    func liftedWhileClosed() {
        var device = Feed(.anonymous)
        device.adoptContacts(isCertain: false)
        device.wait(milliseconds: 491)
        #expect(device.report([.x(10), .y(20), .endOfContact]).first == ["began 1 slot 0 id 0 at 10,20"])
    }

    @Test("A lift that SYN_DROPPED follows is reported at once")
    func liftBeforeDropped() {
        var device = Feed(.slots)
        _ = device.report([.trackingID(1), .x(1), .y(1)])
        var times: [Int64] = []
        device.report([.trackingID(-1), .dropped]) { times.append($0.timestamp.microseconds) }
        #expect(times == [20_000])
        device.wait(milliseconds: 3000)
        #expect(device.report([.slot(1), .x(1)]) == [])
    }

    @Test("A tap inside one report is a contact that begins in one frame and ends in the next")
    func tapInOneReport() {
        var device = Feed(.single)
        #expect(
            device.report([.singleX(1), .singleY(2), .key(BTN_TOUCH, 1), .key(BTN_TOUCH, 0)])
                == [["began 1 slot 0 id 0 at 1,2"], ["ended 1 slot 0 id 0 at 1,2"]])
    }

    @Test("A report without changes makes no frame")
    func emptyReport() {
        var device = Feed(.slots)
        #expect(device.report([]) == [])
        #expect(device.report([.trackingID(1), .x(1), .y(1)]).count == 1)
        #expect(device.report([.x(1)]) == [])
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

    @Test("Any number of contacts in a report counts, even if all change at once")
    func flood() {
        var device = Feed(.anonymous)
        let many = (0..<400).flatMap { [.x($0 % 100), .y($0 / 4), Feed.Event.endOfContact] }
        #expect(device.report(many).first?.count == 400)
        let others = (0..<300).flatMap { [.x(5000 + $0), .y(-3000 - $0), Feed.Event.endOfContact] }
        #expect(device.report(others).first?.count == 400)
        #expect(device.report([.endOfContact]).first?.count == 300)
    }

    @Test(
        "Positions are inside the surface for any axis range, and other values are clamped",
        arguments: [
            (-100, 99, -100, 0.0), (-100, 99, 0, 0.5), (99, 0, 99, 0.0), (99, 0, 49, 0.5), (5, 5, 5, 0.0),
            (5, 5, 99, 1.0), (Int32.min, Int32.max, 0, 0.5), (0, Int32.max, Int32.min, 0.0), (0, 99, 99, 0.99),
            (0, 99, -5, 0), (0, 99, 5000, 1),
        ])
    func ranges(_ minimum: Int32, _ maximum: Int32, _ value: Int32, _ fraction: Double) {
        var device = Feed(.single, .init(range: AxisInfo(minimum: minimum, maximum: maximum)))
        _ = device.report([.singleX(value), .key(BTN_TOUCH, 1)])
        #expect(device.contacts[0].position.x < 1)
        #expect(abs(device.contacts[0].position.x - fraction) < 1e-9)
    }

    @Test("Pressure is a fraction of its axis, whose minimum may not be 0")
    func pressure() {
        var device = Feed(.pressure, .init(range: AxisInfo(minimum: 100, maximum: 200)))
        _ = device.report([.absolute(ABS_PRESSURE, 150)])
        #expect(device.contacts[0].pressure == 0.5)
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
