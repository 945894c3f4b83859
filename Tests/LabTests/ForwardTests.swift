import LabSupport
import Testing

/// Touches for the program that draws; `Tests/Lab/forward.sh` runs touchd between a panel and libinput.
@Suite("Forwarded touches, in a booted machine", .needsLab)
struct ForwardTests {
    private let run: LabRun

    init() async throws { run = try await LabRun.kernel.value }

    @Test("udev sees a touchscreen, and touchd leaves its own forwarded touchscreen alone")
    func touchscreen() throws {
        #expect(try run.lines("forward-udev").contains("ID_INPUT_TOUCHSCREEN=1"))
        let devices = try run.lines("forward-devices")
        #expect(devices.contains { $0.contains("EP0430M09: used") && $0.contains("; forwarded as /dev/input/event") })
        #expect(devices.contains { $0.contains("EP0430M09 (touchd): not used: ignored by touchd's own device") })
        #expect(try run.lines("forward-status").contains { $0.contains("EP0430M09: used; forwarded as /dev/input/") })
    }

    @Test("libinput gets the touches that are meant for it, a swipe as cancelled, and nothing from the grabbed panel")
    func routing() throws {
        #expect(
            try run.lines("forward-routed") == [
                "TOUCH_DOWN", "TOUCH_UP", "TOUCH_DOWN", "TOUCH_CANCEL", "TOUCH_DOWN", "TOUCH_UP",
            ])
        #expect(try run.lines("forward-panel") == [])
    }

    @Test("a reload keeps the forwarded touchscreen")
    func reload() throws {
        #expect(try run.lines("forward-reload") == [])
        #expect(try run.lines("forward-kept") == ["0"])
    }

    @Test("the forwarded touchscreen goes and comes with its panel, and a finger that was down ends")
    func replug() throws {
        let ends = try run.lines("forward-unplugged").filter { $0 != "TOUCH_DOWN" }
        #expect(ends.count == 4)
        #expect(try run.lines("forward-replugged") == ["TOUCH_DOWN", "TOUCH_UP"])
    }

    @Test("after SIGKILL the panel's readers get the next touch, and the next touchd waits for its lift")
    func kill() throws {
        #expect(try run.lines("forward-killed") == ["TOUCH_DOWN", "TOUCH_UP"])
        #expect(try run.lines("forward-waits").first?.hasSuffix("waits until no finger is down on it") == true)
    }

    @Test("while a handler does not return, the panel's readers get its touches; afterwards touchd forwards again")
    func guardian() throws {
        let forwarded = try run.lines("forward-guardian")
        #expect(forwarded.first == "TOUCH_DOWN" && forwarded.contains("TOUCH_CANCEL"))
        #expect(forwarded.suffix(2) == ["TOUCH_DOWN", "TOUCH_UP"])
        #expect(forwarded.count { $0 == "TOUCH_DOWN" } == forwarded.count { $0 != "TOUCH_DOWN" })
        #expect(try run.lines("forward-guardian-panel") == ["TOUCH_DOWN", "TOUCH_UP"])
        #expect(try run.lines("forward-guardian-log") == ["1"])
    }

    @Test(
        "each of two panels has its touchscreen: calibrated, rotated, without ghosts and without the finger touchd keeps"
    )
    func screens() throws {
        #expect(try run.lines("forward-calibrated") == ["TOUCH_DOWN", "TOUCH_UP"])
        // (600, 500) of 1280 × 768 is (0.469, 0.651); the calibration halves x and adds a quarter.
        #expect(try place(run.lines("forward-calibrated-place")) == [48, 65])
        #expect(try run.lines("forward-upright") == ["TOUCH_DOWN", "TOUCH_UP"])
        // Three quarters to the right and one quarter down on the panel, which is turned by 90° clockwise.
        #expect(try place(run.lines("forward-upright-place")) == [75, 75])
    }

    /// The numbers of `48.43/65.10`, rounded.
    private func place(_ lines: [String]) throws -> [Int] {
        try #require(lines.first).split(separator: "/").compactMap {
            Double($0.trimmingCharacters(in: .whitespaces)).map { Int($0.rounded()) }
        }
    }

    @Test("without permission for /dev/uinput touchd reports how to allow it, and does not grab the panel")
    func permission() throws {
        let lines = try run.lines("forward-refused")

        #expect(lines.first?.contains("is not forwarded: touchd's user may not write to /dev/uinput") == true)
    }
}
