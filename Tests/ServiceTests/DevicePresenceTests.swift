import Evdev
import Testing

@testable import Service

/// Reports of missing or silent devices, in seconds on a test clock.
@Suite("Expected devices")
struct DevicePresenceTests {
    @Test("without a rule that expects a device or its events, nothing is watched")
    func nothingAsked() {
        #expect(DevicePresence(rules: []) == nil)
        #expect(DevicePresence(rules: [rule("any")]) == nil)
    }

    @Test("a device missing for its grace time is reported absent once, and when it returns")
    func absent() throws {
        let screen = rule("screen", absence: .seconds(10))
        var presence = try #require(DevicePresence(rules: [screen]))

        #expect(presence.update([], at: second(100)) == [])
        #expect(presence.deadline == second(110))
        #expect(presence.changes(at: second(109.9)) == [])
        #expect(presence.missingCount == 0)
        #expect(presence.changes(at: second(110)) == [.absent(screen)])
        #expect(presence.missingCount == 1)
        #expect(presence.deadline == nil)
        #expect(presence.changes(at: second(1000)) == [])
        #expect(presence.update([device(1, "screen")], at: second(1030)) == [.returned(screen, device(1, "screen"))])
        #expect(presence.missingCount == 0)
        #expect(presence.update([device(1, "screen")], at: second(1031)) == [])
        // One that returns within its grace time is not reported.
        #expect(presence.update([], at: second(1050)) == [])
        #expect(presence.deadline == second(1060))
        #expect(presence.update([device(1, "screen")], at: second(1059)) == [])
        #expect(presence.deadline == nil)
        _ = presence.update([], at: second(1070))
        #expect(presence.changes(at: second(1080)) == [.absent(screen)])
    }

    @Test("an unreadable device counts as missing; other changes keep its time")
    func unreadable() throws {
        let screen = rule("screen", absence: .seconds(10))
        var presence = try #require(DevicePresence(rules: [screen]))
        let failed = device(1, "screen", use: .failed(.notPermitted(path: "/dev/input/event1", group: "input")))
        _ = presence.update([failed], at: second(0))
        _ = presence.update([failed, device(2, "mouse")], at: second(5))

        #expect(presence.changes(at: second(10)) == [.absent(screen)])
    }

    @Test("a device without events for its rule's time is reported silent once, and when it has one")
    func silent() throws {
        let quiet = rule("screen", silence: .seconds(60))
        var presence = try #require(DevicePresence(rules: [quiet]))
        let screen = device(1, "screen")
        _ = presence.update([screen], at: second(0))

        #expect(presence.deadline == second(60))
        #expect(presence.noteActivity(frame(screen.id, at: second(20))) == nil)
        // Other devices that come, go or have events do not affect it.
        _ = presence.update([screen, device(2, "mouse")], at: second(30))
        #expect(presence.noteActivity(frame(DeviceID(rawValue: 2), at: second(40))) == nil)
        #expect(presence.changes(at: second(60)) == [])
        #expect(presence.deadline == second(80))
        #expect(presence.changes(at: second(80)) == [.silent(quiet, screen, since: second(20))])
        #expect(presence.silentCount == 1)
        _ = presence.update([screen], at: second(90))
        #expect(presence.deadline == nil)
        #expect(presence.noteActivity(frame(screen.id, at: second(500))) == .resumed(quiet, screen))
        #expect(presence.silentCount == 0)
        #expect(presence.noteActivity(frame(screen.id, at: second(501))) == nil)
        #expect(presence.deadline == second(561))
    }

    @Test("the cancellations of a closed device are no sign of life")
    func cancellations() throws {
        let quiet = rule("screen", silence: .seconds(60))
        var presence = try #require(DevicePresence(rules: [quiet]))
        let screen = device(1, "screen")
        _ = presence.update([screen], at: second(0))
        _ = presence.changes(at: second(60))

        #expect(presence.noteActivity(frame(screen.id, at: second(70), .cancelled)) == nil)
        #expect(presence.noteActivity(frame(screen.id, at: second(80), .released)) == .resumed(quiet, screen))
    }

    @Test("a frame whose time is in the future counts as one of now, so a silent device is not missed for longer")
    func future() throws {
        let quiet = rule("screen", silence: .seconds(60))
        var presence = try #require(DevicePresence(rules: [quiet]))
        let screen = device(1, "screen")
        _ = presence.update([screen], at: second(0))
        _ = presence.noteActivity(frame(screen.id, at: second(10_000)))
        #expect(presence.changes(at: second(60)) == [])
        #expect(presence.deadline == second(120))
        #expect(presence.changes(at: second(120)) == [.silent(quiet, screen, since: second(60))])
    }

    @Test("a missing device is not reported silent, and a silent one that is replugged stays so until its first event")
    func silentAndGone() throws {
        let quiet = rule("screen", silence: .seconds(60))
        var presence = try #require(DevicePresence(rules: [quiet]))
        _ = presence.update([device(1, "screen")], at: second(0))
        _ = presence.update([], at: second(30))
        #expect(presence.deadline == nil)
        #expect(presence.changes(at: second(600)) == [])

        _ = presence.update([device(1, "screen")], at: second(1000))
        #expect(presence.changes(at: second(1060)) == [.silent(quiet, device(1, "screen"), since: second(1000))])
        _ = presence.update([], at: second(1070))
        let back = device(1, "screen", at: "/dev/input/event9")
        #expect(presence.update([back], at: second(1080)) == [])
        #expect(presence.deadline == nil)
        #expect(presence.noteActivity(frame(back.id, at: second(1090))) == .resumed(quiet, back))
    }

    @Test("reports stay valid under equal rules on another line; a rule with another time starts counting again")
    func carriedOver() throws {
        var before = try #require(
            DevicePresence(rules: [rule("3", absence: .seconds(10)), rule("4", silence: .seconds(60))]))
        _ = before.update([device(1, "4")], at: second(0))
        _ = before.changes(at: second(60))

        let (absent, quiet) = (rule("5", absence: .seconds(10)), rule("6", silence: .seconds(60)))
        var presence = try #require(DevicePresence(rules: [absent, quiet], after: before))
        #expect(presence.update([device(1, "6")], at: second(70)) == [])
        #expect(presence.deadline == nil)
        #expect(presence.noteActivity(frame(DeviceID(rawValue: 1), at: second(80))) == .resumed(quiet, device(1, "6")))
        let screen = device(2, "5")
        #expect(presence.update([screen], at: second(90)) == [.returned(absent, screen)])

        let longer = rule("3", absence: .seconds(20))
        var again = try #require(DevicePresence(rules: [longer], after: before))
        _ = again.update([], at: second(70))
        #expect(again.changes(at: second(90)) == [.absent(longer)])
    }

    @Test("of several rules for one device the last one with a silence time applies")
    func laterRuleWins() throws {
        let short = rule("any", silence: .seconds(10)), long = rule("screen", silence: .seconds(60))
        var presence = try #require(DevicePresence(rules: [short, long, rule("all")]))
        let screen = device(1, "any", "screen", "all")
        _ = presence.update([screen, device(2, "any")], at: second(0))

        #expect(presence.changes(at: second(10)) == [.silent(short, device(2, "any"), since: second(0))])
        #expect(presence.changes(at: second(60)) == [.silent(long, screen, since: second(0))])
    }

    private func frame(
        _ device: DeviceID, at time: InputTimestamp, _ action: KeyChange.Action = .pressed
    ) -> InputFrame {
        InputFrame(device: device, timestamp: time, keys: [KeyChange(code: 30, action: action)])
    }

    private func second(_ seconds: Double) -> InputTimestamp {
        InputTimestamp(microseconds: Int64(seconds * 1_000_000))
    }

    private func rule(_ label: String, absence: Duration? = nil, silence: Duration? = nil) -> DeviceRule {
        var rule = DeviceRule(label: label, match: .init())
        rule.absence = absence
        rule.silence = silence
        return rule
    }

    /// A device that matched these rules.
    private func device(
        _ id: UInt32, _ rules: String..., use: DeviceInfo.Use = .used, at path: String? = nil
    ) -> DeviceInfo {
        let description = DeviceDescription(name: "device \(id)")
        let matching = rules.map { DeviceRule(label: $0, match: .init()) }
        return DeviceInfo(
            id: DeviceID(rawValue: id), path: path ?? "/dev/input/event\(id)", description: description,
            role: DeviceRole(kind: .touchscreen, touchProtocol: .slots), use: use,
            settings: DeviceSettings(rules: matching, description: description, path: "", properties: [:]))
    }
}
