import Foundation
import Testing

@testable import TestSupport

/// `touchd calibrate --replay`: the matrix for touches of the four marks.
@Suite struct CalibrateCommand {
    /// A recording of four touches, as evemu writes it.
    /// - Parameters:
    ///   - header: The device's description.
    ///   - press: The key that a finger presses.
    ///   - axes: The codes of its positions.
    private func recording(
        _ header: String, press: String, axes: (x: String, y: String), _ touches: [(x: Int, y: Int)]
    ) -> String {
        var text = header
        for (index, touch) in touches.enumerated() {
            text += """
                E: \(index + 1).000000 0003 \(axes.x) \(touch.x)
                E: \(index + 1).000000 0003 \(axes.y) \(touch.y)
                E: \(index + 1).000000 0001 \(press) 1
                E: \(index + 1).000000 0000 0000 0
                E: \(index + 1).100000 0001 \(press) 0
                E: \(index + 1).100000 0000 0000 0

                """
        }
        return text
    }

    private func calibrate(_ recording: String, layout: String = "screen: {size: [800, 480]}") throws
        -> TouchdProgram.Outcome
    {
        let folder = try TemporaryFolder()
        return try TouchdProgram.run(
            "calibrate", "--layout", folder.file("layout.yaml", layout).path, "--replay",
            folder.file("marks.evemu", recording).path)
    }

    /// A single-touch panel with `BTN_TOUCH`.
    private func panel(x: Int, y: Int) -> String {
        """
        N: panel
        P: 02 00 00 00 00 00 00 00
        B: 00 0b 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 04 00 00 00 00 00 00
        B: 03 03 00 00 00 00 00 00 00
        A: 00 0 \(x) 0 0 0
        A: 01 0 \(y) 0 0 0

        """
    }

    @Test("the printed line matches a name with wildcards and quotes only as itself")
    func quotedName() throws {
        let header = panel(x: 4095, y: 4095).replacing("N: panel", with: #"N: a*b "c" \d"#)
        let outcome = try calibrate(
            recording(
                header, press: "014a", axes: ("0000", "0001"), [(410, 410), (3686, 410), (3686, 3686), (410, 3686)]))
        #expect(outcome.output.contains(#"match: {name: "a[*]b \"c\" \\d"}"#), "\(outcome)")
    }

    @Test("positions outside the announced range are measured as reported, and the command says that they left it")
    func announcedRange() throws {
        // The driver exchanged the ranges: the panel reports 0 to 799 and 0 to 479.
        let outcome = try calibrate(
            recording(
                panel(x: 479, y: 799), press: "014a", axes: ("0000", "0001"),
                [(80, 48), (720, 48), (720, 432), (80, 432)]))
        #expect(outcome.output.contains("calibration: [0.6000, 0.0000, 0.0000, 0.0000, 1.6667, 0.0000]"))
        #expect(
            outcome.errors
                == "touchd: the device announces x from 0 to 479, but the touches were from 80 to 720; the matrix "
                + "corrects this\n")
        #expect(outcome.status == 0)
    }

    @Test("a panel that reports many times its range gets as many digits more")
    func manyTimesTheRange() throws {
        let outcome = try calibrate(
            recording(
                panel(x: 1, y: 4095), press: "014a", axes: ("0000", "0001"),
                [(410, 410), (3686, 410), (3686, 3686), (410, 3686)]))
        #expect(outcome.output.contains("calibration: [0.0004884, "))
    }

    @Test("a panel that reports as a pointer is measured where its button is released")
    func pointer() throws {
        let header = """
            N: DIALOG demo PenM USB
            B: 00 0b 00 00 00 00 00 00 00
            B: 01 00 00 00 00 00 00 00 00
            B: 01 00 00 00 00 00 00 00 00
            B: 01 00 00 00 00 00 00 00 00
            B: 01 00 00 00 00 00 00 00 00
            B: 01 00 00 01 00 00 00 00 00
            B: 03 03 00 00 00 00 00 00 00
            A: 00 0 2047 0 0 0
            A: 01 0 2047 0 0 0

            """
        let outcome = try calibrate(
            recording(
                header, press: "0110", axes: ("0000", "0001"), [(1843, 205), (205, 205), (205, 1843), (1843, 1843)]))
        #expect(outcome.output.contains("match: {name: \"DIALOG demo PenM USB\"}"))
        #expect(outcome.output.contains("calibration: [-1.0002, 0.0000, 1.0001, 0.0000, 1.0002, -0.0001]"))
    }

    @Test("the layout's rules apply, but for the calibration that is measured again")
    func rules() throws {
        // Each touch bounces once, elsewhere.
        let marks = [(80, 48), (720, 48), (720, 432), (80, 432)]
        var text = panel(x: 799, y: 479)
        for (index, mark) in marks.enumerated() {
            for (start, end, x) in [("0", "01", 400), ("2", "3", mark.0)] {
                text += """
                    E: \(index + 1).\(start)00000 0003 0000 \(x)
                    E: \(index + 1).\(start)00000 0003 0001 \(mark.1)
                    E: \(index + 1).\(start)00000 0001 014a 1
                    E: \(index + 1).\(start)00000 0000 0000 0
                    E: \(index + 1).\(end.padding(toLength: 6, withPad: "0", startingAt: 0)) 0001 014a 0
                    E: \(index + 1).\(end.padding(toLength: 6, withPad: "0", startingAt: 0)) 0000 0000 0

                    """
            }
        }
        let outcome = try calibrate(
            text,
            layout: """
                screen: {size: [800, 480]}
                devices:
                  - match: {name: panel}
                    use: true
                    calibration: [0, 1, 0, 1, 0, 0]
                    rotate: 90
                    region: [0, 0, 400, 480]
                    filter: {debounce: 50 ms, jitter: 3, edge: 5}
                """)
        #expect(outcome.output.contains("calibration: [1.0000, 0.0000, 0.0000, 0.0000, 1.0000, 0.0000]"))
        #expect(outcome.errors.isEmpty)
    }

    @Test("a recording with udev's calibration is measured without it, so that its matrix is found again")
    func udevCalibration() throws {
        var text = """
            version: 1
            ndevices: 1
            devices:
            - node: /dev/input/event5
              evdev:
                name: "panel"
                id: [3, 1, 1, 1]
                codes:
                  0: [0, 1, 3]
                  1: [330]
                  3: [0, 1]
                absinfo:
                  0: [0, 9999, 0, 0, 0]
                  1: [0, 9999, 0, 0, 0]
                properties: [1]
              udev:
                properties:
                - ID_INPUT=1
                - ID_INPUT_TOUCHSCREEN=1
                - LIBINPUT_CALIBRATION_MATRIX=-1 0 1 0 1 0
              events:

            """
        for (index, mark) in [(9000, 1000), (1000, 1000), (1000, 9000), (9000, 9000)].enumerated() {
            for (time, frame) in [(0, [(3, 0, mark.0), (3, 1, mark.1), (1, 330, 1)]), (100_000, [(1, 330, 0)])] {
                text += "  - evdev:\n"
                for event in frame + [(0, 0, 0)] {
                    text += "    - [\(index + 1), \(time), \(event.0), \(event.1), \(event.2)]\n"
                }
            }
        }
        #expect(try calibrate(text).output.contains("calibration: [-1.0000, 0.0000, 1.0000, 0.0000, 1.0000, 0.0000]"))
    }
}
