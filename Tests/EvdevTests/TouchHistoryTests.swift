import CLinux
import Evdev
import Testing

/// The last minutes of a touchscreen: what is kept, what is exported, and what is private.
@Suite("The last minutes of a touchscreen")
struct TouchHistoryTests {
    /// The events in a text: seconds, type, code and value.
    private func events(_ panel: KeptPanel, at now: Int64? = nil) throws -> [String] {
        try panel.history.text(at: now ?? panel.time).split(separator: "\n").filter { $0.hasPrefix("E:") }
            .map { String($0.dropFirst(3)) }
    }

    @Test("A concealed contact leaves no place, report, gesture or gap in the ids")
    func concealed() throws {
        let panel = KeptPanel()
        panel.reveal(panel.began(0, 40, x: 10, y: 20))
        panel.ended(0)
        // Three keys of a pad, the last at the position of the next finger.
        for x: Int32 in [70, 80, 90] {
            panel.conceal(panel.began(0, 41 + x, x: x, y: 33))
            panel.report([(ABS_MT_POSITION_Y, 34)])
            panel.ended(0)
        }
        // The kernel does not repeat values that the slot already has.
        panel.reveal(panel.began(0, 200, y: 21))
        panel.ended(0)

        #expect(
            try events(panel) == [
                "0.000000 0003 0039 0", "0.000000 0003 0035 10", "0.000000 0003 0036 20", "0.000000 0001 014a 1",
                "0.000000 0000 0000 0",
                "0.010000 0003 0039 -1", "0.010000 0001 014a 0", "0.010000 0000 0000 0",
                "0.110000 0003 0039 1", "0.110000 0003 0035 90", "0.110000 0003 0036 21", "0.110000 0001 014a 1",
                "0.110000 0000 0000 0",
                "0.120000 0003 0039 -1", "0.120000 0001 014a 0", "0.120000 0000 0000 0",
            ])
    }

    @Test("A contact that enters a private area is left out from its beginning")
    func concealedLater() throws {
        let panel = KeptPanel()
        let drag = panel.began(0, 1, x: 10, y: 10)
        panel.reveal(drag)
        panel.report([(ABS_MT_POSITION_X, 50)])
        #expect(try !events(panel).isEmpty)
        panel.conceal(drag)
        panel.reveal(drag)
        panel.report([(ABS_MT_POSITION_X, 90)])
        panel.ended(0)
        #expect(try events(panel).isEmpty)
    }

    @Test("Of two fingers the private one is left out; the other has all its moves")
    func besideEachOther() throws {
        let panel = KeptPanel()
        panel.conceal(panel.began(0, 1, x: 70, y: 70))
        panel.reveal(panel.began(1, 2, x: 10, y: 10))
        panel.report([(ABS_MT_SLOT, 0), (ABS_MT_POSITION_X, 71), (ABS_MT_SLOT, 1), (ABS_MT_POSITION_X, 11)])
        panel.report([(ABS_MT_SLOT, 0), (ABS_MT_POSITION_X, 72)])
        panel.ended(0)
        panel.ended(1)
        #expect(
            try events(panel) == [
                "0.000000 0003 002f 1", "0.000000 0003 0039 0", "0.000000 0003 0035 10", "0.000000 0003 0036 10",
                "0.000000 0001 014a 1", "0.000000 0000 0000 0",
                "0.010000 0003 0035 11", "0.010000 0000 0000 0",
                "0.040000 0003 0039 -1", "0.040000 0001 014a 0", "0.040000 0000 0000 0",
            ])
    }

    @Test("A contact without a decision about privacy is not exported")
    func unjudged() throws {
        let panel = KeptPanel()
        _ = panel.began(0, 1, x: 10, y: 10)
        panel.ended(0)
        #expect(try events(panel).isEmpty)
    }

    @Test("A touch that the panel takes back, or that is down when it is unplugged, is cancelled in the recording")
    func cancelled() throws {
        let panel = KeptPanel()
        panel.reveal(panel.began(0, 1, x: 10, y: 20))
        panel.reveal(panel.began(1, 2, x: 30, y: 40))
        panel.report([(ABS_MT_SLOT, 0), (ABS_MT_TOOL_TYPE, 2)])
        panel.unplug()
        // As the kernel ends a report with 1 in which it releases what is held.
        #expect(
            try events(panel).suffix(7) == [
                "0.020000 0003 002f 0", "0.020000 0003 0039 -1", "0.020000 0000 0000 1",
                "0.020000 0003 002f 1", "0.020000 0003 0039 -1", "0.020000 0001 014a 0", "0.020000 0000 0000 1",
            ])
    }

    @Test("Of a finger that was down before a reload nothing is exported")
    func reloaded() throws {
        let panel = KeptPanel()
        panel.reveal(panel.began(0, 1, x: 10, y: 10))
        panel.reload()
        panel.report([(ABS_MT_POSITION_X, 50)])
        panel.ended(0)
        #expect(try events(panel).isEmpty)
    }

    @Test("A single-touch panel omits the private contacts, and has the others unchanged")
    func singleTouch() throws {
        let panel = KeptPanel(.single)
        panel.conceal(panel.report([(BTN_TOUCH, 1), (ABS_X, 80), (ABS_Y, 81)])[0])
        panel.report([(BTN_TOUCH, 0)])
        panel.reveal(panel.report([(BTN_TOUCH, 1), (ABS_X, 12)])[0])
        panel.report([(ABS_X, 13)])
        panel.report([(BTN_TOUCH, 0)])
        #expect(
            try events(panel) == [
                "0.000000 0001 014a 1", "0.000000 0003 0000 12", "0.000000 0003 0001 81", "0.000000 0000 0000 0",
                "0.010000 0003 0000 13", "0.010000 0000 0000 0",
                "0.020000 0001 014a 0", "0.020000 0000 0000 0",
            ])
    }

    @Test("A protocol A panel lists only the public contacts in each report")
    func anonymous() throws {
        let panel = KeptPanel(.anonymous)
        func contact(_ x: Int32, _ y: Int32) -> [(code: Int32, value: Int32)] {
            [(ABS_MT_POSITION_X, x), (ABS_MT_POSITION_Y, y), (-1, 0)]
        }
        panel.conceal(panel.report(contact(80, 80))[0])
        panel.reveal(panel.report(contact(80, 80) + contact(10, 11))[0])
        panel.report(contact(81, 80) + contact(12, 11))
        panel.report(contact(81, 80))
        panel.report([(-1, 0)])
        #expect(
            try events(panel) == [
                "0.000000 0003 0035 10", "0.000000 0003 0036 11", "0.000000 0000 0002 0", "0.000000 0001 014a 1",
                "0.000000 0000 0000 0",
                "0.010000 0003 0035 12", "0.010000 0003 0036 11", "0.010000 0000 0002 0", "0.010000 0000 0000 0",
                "0.020000 0000 0002 0", "0.020000 0001 014a 0", "0.020000 0000 0000 0",
            ])
    }

    // MARK: Kept events

    @Test("A finger that never lifts is down when the recording begins")
    func stuck() throws {
        let panel = KeptPanel(span: .seconds(1))
        panel.reveal(panel.began(3, 1, x: 50, y: 60))
        panel.reveal(panel.began(0, 2, x: 1, y: 1))
        panel.ended(0)
        panel.report([(ABS_MT_SLOT, 0), (ABS_MT_TRACKING_ID, 3), (ABS_MT_POSITION_X, 2)], after: 5000)
            .forEach { panel.reveal($0) }
        panel.ended(0)
        #expect(
            try events(panel) == [
                "0.000000 0003 002f 3", "0.000000 0003 0039 0", "0.000000 0003 0035 50", "0.000000 0003 0036 60",
                "0.000000 0001 014a 1", "0.000000 0000 0000 0",
                "0.000000 0003 002f 0", "0.000000 0003 0039 1", "0.000000 0003 0035 2", "0.000000 0003 0036 1",
                "0.000000 0000 0000 0",
                "0.010000 0003 0039 -1", "0.010000 0000 0000 0",
            ])
        // There are no other events.
        #expect(try events(panel, at: panel.time + 60_000_000).count == 6)
    }

    @Test("When the buffer is full the oldest events go; a finger that is down stays")
    func full() throws {
        let panel = KeptPanel(span: .seconds(3600))
        panel.reveal(panel.began(3, 1, x: 50, y: 60))
        panel.conceal(panel.began(2, 2, x: 77, y: 77))
        panel.reveal(panel.began(0, 3, x: 0, y: 0))
        for step: Int32 in 1...20_000 { panel.report([(ABS_MT_POSITION_X, step % 70)]) }
        let events = try events(panel)
        // 16,384 samples, after the two that are down: a move and its SYN_REPORT each.
        #expect(events.count == 9 + 2 * 16_384)
        #expect(events[..<9].map { $0.dropFirst(9) }.contains("0003 0035 50"))
        #expect(!events.contains { $0.hasSuffix(" 77") })
        #expect(events.last?.hasPrefix("163.83") == true)
    }

    @Test("A reopened panel numbers contacts again; privacy decisions stay valid")
    func reopened() throws {
        let panel = KeptPanel()
        panel.conceal(panel.began(0, 1, x: 70, y: 70))
        panel.ended(0)
        panel.reveal(panel.began(0, 2, x: 10, y: 10))
        panel.ended(0)
        panel.open()
        panel.reveal(panel.began(0, 1, x: 11, y: 11))
        panel.ended(0)
        panel.conceal(panel.began(0, 2, x: 72, y: 72))
        panel.ended(0)
        let places = try events(panel).filter { $0.contains(" 0003 0035 ") }
        #expect(places.map { $0.suffix(2) } == ["10", "11"])
    }

    @Test("Mice and keyboards are not kept, and at most 16 touchscreens are")
    func others() throws {
        let panel = KeptPanel()
        func device(_ number: UInt32, _ kind: DeviceRole.Kind, _ touchProtocol: DeviceRole.TouchProtocol?)
            -> DeviceInfo
        {
            DeviceInfo(
                id: DeviceID(rawValue: number), path: "", description: panel.info.description,
                role: DeviceRole(kind: kind, touchProtocol: touchProtocol), use: .used, settings: panel.info.settings)
        }
        for (number, kind): (UInt32, DeviceRole.Kind) in [(2, .mouse), (3, .keyboard), (4, .absolutePointer)] {
            #expect(panel.history.opened(device(number, kind, nil)) == nil)
        }
        let kept = (10..<40).filter { panel.history.opened(device($0, .touchscreen, .slots)) != nil }
        #expect(kept.count == 15)
        #expect(panel.history.sources.count == 16)
    }

    @Test("The pieces of a recording form one text, whatever their size")
    func pieces() throws {
        let panel = KeptPanel()
        for id: Int32 in 0..<100 {
            panel.reveal(panel.began(0, id, x: id % 50, y: 99 - id % 50))
            panel.ended(0)
        }
        let whole = try panel.history.text(at: panel.time, bytes: .max)
        #expect(try panel.history.text(at: panel.time, bytes: 1) == whole)
        #expect(whole.hasPrefix("# EVEMU 1.3\nN: made up\n"))
    }

    @Test("A position that the filter delays is checked for privacy")
    func filtered() throws {
        // Left of 0.2 it is private.
        let panel = KeptPanel(filter: ContactFilter(debounce: 25_000)) { contact, _ in contact.position.x < 0.2 }
        panel.report([(ABS_MT_SLOT, 0), (ABS_MT_TRACKING_ID, 1), (ABS_MT_POSITION_X, 5), (ABS_MT_POSITION_Y, 5)])
        panel.report([(ABS_MT_POSITION_X, 60)])
        // The views receive it only here.
        let began = panel.report([(ABS_MT_POSITION_X, 61)], after: 30)
        try #require(began.count == 1)
        panel.reveal(began[0])
        panel.ended(0)

        #expect(try events(panel).isEmpty)
    }
}
