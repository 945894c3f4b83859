import Foundation
import Testing

/// A recording of a real gesture, and the gestures that must be recognized in it.
nonisolated struct RecordedGesture: Sendable, CustomTestStringConvertible {
    /// The start of the files' names, the panel's pixels, one point each, and whether its description is in a file.
    typealias Panel = (path: String, width: Double, height: Double, hasFile: Bool)

    var panel: Panel
    var name: String
    /// Whether drags and scrolls require the swipe to fail.
    var prefersSwipes: Bool
    /// Each recognizer's states except changed, in order.
    var recognized: [String]

    init(_ panel: Panel, _ name: String, prefersSwipes: Bool = false, _ recognized: [String]) {
        (self.panel, self.name, self.prefersSwipes, self.recognized) = (panel, name, prefersSwipes, recognized)
    }

    var testDescription: String { "\(panel.path) \(name)" }

    static let folder =
        URL(fileURLWithPath: #filePath).appending(path: "../../../EvdevTests/Recordings").standardized.path + "/"

    var path: String { "\(Self.folder)\(panel.path).\(name).events" }
    var descriptionPath: String? { panel.hasFile ? "\(Self.folder)\(panel.path).desc" : nil }

    private static let atmel: Panel = ("atmel-maxtouch/Atmel maXTouch Touchscreen", 800, 480, false)
    private static let edt: Panel = ("edt-ep0430m09/EP0430M09", 1280, 768, false)
    private static let ntrig: Panel = ("ntrig-protocol-a/N-Trig MultiTouch", 1280, 800, true)
    private static let wacom: Panel = ("wacom-isdv4-e6/Wacom ISDv4 E6 Finger", 1366, 768, true)
    private static let egalax: Panel = (
        "egalax-pcap/eGalax_eMPIA Technology Inc. PCAP MultiTouch Controller", 1280, 800, true
    )
    private static let elan: Panel = ("elan-cando/ELAN CANDO Windows7", 1280, 800, true)

    static let all: [Self] = [
        Self(egalax, "tap", ["tap ended"]),
        Self(wacom, "single-tap-center", ["tap ended"]),
        Self(wacom, "double-tap-center", ["double tap ended"]),
        // Nine taps at most 0.35 s apart.
        Self(
            atmel, "1-finger-fast-taps",
            ["double tap ended", "double tap ended", "double tap ended", "double tap ended", "tap ended"]),
        Self(wacom, "2fg-tap", ["two-finger tap ended"]),
        // Despite its name it contains one tap of two fingers.
        Self(wacom, "2fg-double-tap", ["two-finger tap ended"]),
        // The two fingers rest for just over half a second.
        Self(edt, "2-fingers-touch-release", ["two-finger press began", "two-finger press ended"]),
        // The first finger rests alone for half a second before the second comes down.
        Self(ntrig, "2-fingers-touch-release", ["press began", "press ended"]),
        // The fingers rest for 0.8 s, too long for a tap, and move 8 points closer together.
        Self(atmel, "2-fingers-touch-release", ["pinch began", "pinch ended"]),
        Self(atmel, "1-finger-drag-up-down", ["drag began", "drag ended"]),
        Self(edt, "1-finger-drag-up-down", ["drag began", "drag ended"]),
        Self(elan, "1-finger-drag-up-down", ["drag began", "drag ended"]),
        Self(ntrig, "1-finger-drag-NW-SE", ["drag began", "drag ended"]),
        Self(wacom, "single-center-scroll", ["drag began", "drag ended"]),
        Self(wacom, "single-center-circle", ["drag began", "drag ended"]),
        Self(edt, "2-finger-scroll-down", ["two-finger scroll began", "two-finger scroll ended"]),
        Self(wacom, "double-center-scroll", ["two-finger scroll began", "two-finger scroll ended"]),
        Self(wacom, "double-center-circle", ["two-finger scroll began", "two-finger scroll ended"]),
        Self(atmel, "4-finger-drag-down", ["four-finger drag began", "four-finger drag ended"]),
        Self(edt, "4-finger-drag-down", ["four-finger drag began", "four-finger drag ended"]),
        // UIKit's documentation: a pan prevents a swipe on the same view, unless it requires the swipe to fail.
        Self(wacom, "single-top-swipe", ["drag began", "drag ended"]),
        Self(wacom, "double-top-swipe", ["two-finger scroll began", "two-finger scroll ended"]),
        Self(wacom, "single-top-swipe", prefersSwipes: true, ["swipe right ended"]),
        Self(wacom, "double-top-swipe", prefersSwipes: true, ["two-finger swipe right ended"]),
    ]
}
