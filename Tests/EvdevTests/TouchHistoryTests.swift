import CLinux
import Evdev
import EventLoop
import Foundation
import Testing

/// The last minutes of a touchscreen: what is kept, what is given out, and that it can be played again.
@Suite("The last minutes of a touchscreen")
struct TouchHistoryTests {
    private static let device = DeviceID(rawValue: 1)

    // MARK: Real devices

    /// A change of a contact, without the numbers that are counted anew.
    private struct Change: Equatable {
        var time: Int64
        var contact: Int
        var isOver, isNew: Bool
        var position: SurfacePoint
        var raw: RawPoint
        var tool: Contact.Tool
        var slot: Int32
        var axes: [Float?]
    }

    /// What a recording's contacts do, times since the first of it.
    private func changes(
        in path: String, _ description: String? = nil, history: TouchHistory? = nil, withSlots: Bool
    ) throws -> [Change] {
        let loop = try EpollRunLoop()
        var changes: [Change] = []
        var numbers: [UInt32: Int] = [:]
        let player = RecordingPlayer(
            try RecordingReader(path: path, description: description), path: path, loop: loop, speed: .maximum,
            onFrame: { frame in
                for contact in frame.contacts {
                    if contact.phase == .began {
                        numbers[contact.id] = numbers.count
                        history?.reveal(contact.id, of: frame.device)
                    }
                    changes.append(
                        Change(
                            time: frame.timestamp.microseconds, contact: numbers[contact.id] ?? -1,
                            isOver: contact.phase == .ended || contact.phase == .cancelled,
                            isNew: contact.phase == .began, position: contact.position, raw: contact.raw,
                            tool: contact.tool, slot: withSlots ? contact.slot : 0,
                            axes: [
                                contact.pressure, contact.majorRadius, contact.minorRadius, contact.orientation,
                            ]))
                }
            },
            onEnd: { error in
                #expect(error == nil)
                loop.stop()
            })
        player.history = history
        player.start()
        loop.run()
        let start = changes.first?.time ?? 0
        changes = changes.map { change in
            var change = change
            change.time -= start
            return change
        }
        // libmtdev also chooses the order of the contacts in a report.
        return withSlots ? changes : changes.sorted { ($0.time, $0.contact) < ($1.time, $1.contact) }
    }

    @Test(
        "What a real device's contacts did is in it to the last axis, and is played again as it was",
        arguments: Expectation.all.filter { $0.hasContacts && $0.kind == "touchscreen" })
    func roundTrip(_ expected: Expectation) throws {
        let path = Expectation.folder + (try #require(expected.recording))
        let description = expected.description.map { Expectation.folder + $0 }
        let history = TouchHistory(span: .seconds(3600))
        // libmtdev chooses the slots of protocol A.
        let withSlots = expected.protocol != "multi-touch protocol A"
        let original = try changes(in: path, description, history: history, withSlots: withSlots)
        let copy = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).evemu")
        defer { try? FileManager.default.removeItem(at: copy) }
        try Data(text(of: history, at: 3_600_000_000).utf8).write(to: copy)

        let again = try changes(in: copy.path, withSlots: withSlots)

        // Not the lists themselves, which a failure would print.
        #expect(again.count == original.count)
        let difference = zip(again, original).first { $0 != $1 }
        #expect(difference == nil)
    }

    private func text(of history: TouchHistory, at now: Int64, bytes: Int = 1000) throws -> String {
        var recording = try #require(
            history.recording(of: Self.device, at: InputTimestamp(microseconds: now)))
        var text = ""
        while !recording.isAtEnd { text += recording.next(bytes: bytes) }
        return text
    }

    // MARK: What is private

    /// A panel of 100 × 100 units whose history is kept.
    private final class Panel {
        let history: TouchHistory
        let info: DeviceInfo
        private(set) var frames: [Contact] = []
        private var pipeline: FramePipeline?
        private(set) var time: Int64 = 0

        init(_ touchProtocol: DeviceRole.TouchProtocol = .slots, span: Duration = .seconds(60)) {
            var description = DeviceDescription(name: "made up")
            let axes =
                switch touchProtocol {
                case .slots: [ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID]
                case .anonymous: [ABS_MT_POSITION_X, ABS_MT_POSITION_Y]
                case .single: [ABS_X, ABS_Y]
                }
            for code in axes { description.insertAxis(UInt16(code), AxisInfo(minimum: 0, maximum: 99)) }
            if touchProtocol == .slots {
                description.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: 9))
            }
            description.properties.insert(UInt16(INPUT_PROP_DIRECT))
            description[UInt16(EV_KEY)].insert(UInt16(BTN_TOUCH))
            let settings = DeviceSettings(description: description, path: "", properties: [:])
            info = DeviceInfo(
                id: TouchHistoryTests.device, path: "made up", description: description,
                role: DeviceRole(kind: .touchscreen, touchProtocol: touchProtocol), use: .used, settings: settings)
            history = TouchHistory(span: span)
            open()
        }

        /// Opens the panel, anew if it was open.
        func open() {
            pipeline = FramePipeline(info) { [unowned self] frame in frames += frame.contacts }
            pipeline?.history = history.opened(info)
        }

        /// Sends a report; answers the numbers of the contacts that began in it.
        @discardableResult
        func report(_ events: [(code: Int32, value: Int32)], after milliseconds: Int64 = 10) -> [UInt32] {
            frames = []
            time += milliseconds * 1000
            for (code, value) in events {
                let type = code == BTN_TOUCH ? EV_KEY : code == -1 ? EV_SYN : EV_ABS
                feed(type, code == -1 ? SYN_MT_REPORT : code, value)
            }
            feed(EV_SYN, SYN_REPORT, 0)
            return frames.filter { $0.phase == .began }.map(\.id)
        }

        private func feed(_ type: Int32, _ code: Int32, _ value: Int32) {
            pipeline?.feed(
                InputEvent(
                    type: UInt16(type), code: UInt16(code), value: value, time: InputTimestamp(microseconds: time)))
        }

        /// A finger comes down in a slot.
        func began(_ slot: Int32, _ id: Int32, x: Int32? = nil, y: Int32? = nil) -> UInt32 {
            let position = [x.map { (ABS_MT_POSITION_X, $0) }, y.map { (ABS_MT_POSITION_Y, $0) }].compactMap { $0 }
            return report([(ABS_MT_SLOT, slot), (ABS_MT_TRACKING_ID, id)] + position)[0]
        }

        func ended(_ slot: Int32) { report([(ABS_MT_SLOT, slot), (ABS_MT_TRACKING_ID, -1)]) }

        func reveal(_ contact: UInt32) { history.reveal(contact, of: info.id) }
        func conceal(_ contact: UInt32) { history.conceal(contact, of: info.id) }
    }

    /// The events of a text: seconds, type, code and value.
    private func events(_ panel: Panel, at now: Int64? = nil) throws -> [String] {
        try text(of: panel.history, at: now ?? panel.time).split(separator: "\n").filter { $0.hasPrefix("E:") }
            .map { String($0.dropFirst(3)) }
    }

    @Test("A concealed contact leaves neither a place nor a report nor a gap in the tracking ids; what stays is whole")
    func concealed() throws {
        let panel = Panel()
        panel.reveal(panel.began(0, 40, x: 10, y: 20))
        panel.ended(0)
        // Three keys of a pad, the last at the place of the finger that comes next.
        for x: Int32 in [70, 80, 90] {
            panel.conceal(panel.began(0, 41 + x, x: x, y: 33))
            panel.report([(ABS_MT_POSITION_Y, 34)])
            panel.ended(0)
        }
        // The kernel does not send again what the slot has already.
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

    @Test("A contact that comes into a private place is left out from its beginning, and whatever is said of it later")
    func concealedLater() throws {
        let panel = Panel()
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

    @Test("Of two fingers the private one is left out, and the other one's moves are all there")
    func besideEachOther() throws {
        let panel = Panel()
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

    @Test("A contact that nobody has judged is not given out")
    func unjudged() throws {
        let panel = Panel()
        _ = panel.began(0, 1, x: 10, y: 10)
        panel.ended(0)
        #expect(try events(panel).isEmpty)
    }

    @Test("A panel of one contact loses the private ones, and says the others as it did")
    func singleTouch() throws {
        let panel = Panel(.single)
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

    @Test("A panel of protocol A lists the contacts that may be known in each report, and those alone")
    func anonymous() throws {
        let panel = Panel(.anonymous)
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

    // MARK: What is kept

    @Test("A finger that never lifts is down when the recording begins, however long it has been there")
    func stuck() throws {
        let panel = Panel(span: .seconds(1))
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
        // And where it was all that happened.
        #expect(try events(panel, at: panel.time + 60_000_000).count == 6)
    }

    @Test("When there is no more room the oldest gives way, and a finger that is down from before stays")
    func full() throws {
        let panel = Panel(span: .seconds(3600))
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

    @Test("A panel that is opened anew counts its contacts anew; what was said of those before holds")
    func reopened() throws {
        let panel = Panel()
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

    @Test("Mice and keyboards are not kept, nor more than 16 touchscreens")
    func others() throws {
        let panel = Panel()
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

    @Test("The pieces of a recording are one text, whatever their size")
    func pieces() throws {
        let panel = Panel()
        for id: Int32 in 0..<100 {
            panel.reveal(panel.began(0, id, x: id % 50, y: 99 - id % 50))
            panel.ended(0)
        }
        let whole = try text(of: panel.history, at: panel.time, bytes: .max)
        #expect(try text(of: panel.history, at: panel.time, bytes: 1) == whole)
        #expect(whole.hasPrefix("# EVEMU 1.3\nN: made up\n"))
    }
}
