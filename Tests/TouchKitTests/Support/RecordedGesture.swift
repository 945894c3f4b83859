import Recordings
import Evdev
import Foundation
import Testing

/// A recording of a real gesture, and the gestures that must be recognized in it.
nonisolated struct RecordedGesture: Sendable, CustomTestStringConvertible {
    var name: String
    var description: String?
    /// The panel's pixels, one point each.
    var width = 1280.0
    var height = 800.0
    /// Whether drags and scrolls require the swipe to fail.
    var prefersSwipes = false
    /// Each recognizer's states except changed, in order.
    var recognized: [String]

    var testDescription: String { name }

    static let folder =
        URL(fileURLWithPath: #filePath).appending(path: "../../../EvdevTests/Recordings").standardized.path + "/"

    var path: String { Self.folder + name }
    var descriptionPath: String? { description.map { Self.folder + $0 } }

    func reader() throws -> RecordingReader { try RecordingReader(path: path, description: descriptionPath) }

    static func atmel(_ name: String, _ recognized: [String]) -> Self {
        Self(
            name: "atmel-maxtouch/Atmel maXTouch Touchscreen.\(name).events", width: 800, height: 480,
            recognized: recognized)
    }

    static func edt(_ name: String, _ recognized: [String]) -> Self {
        Self(name: "edt-ep0430m09/EP0430M09.\(name).events", width: 1280, height: 768, recognized: recognized)
    }

    static func ntrig(_ name: String, _ recognized: [String]) -> Self {
        Self(
            name: "ntrig-protocol-a/N-Trig MultiTouch.\(name).events",
            description: "ntrig-protocol-a/N-Trig MultiTouch.desc", recognized: recognized)
    }

    static func wacom(_ name: String, prefersSwipes: Bool = false, _ recognized: [String]) -> Self {
        Self(
            name: "wacom-isdv4-e6/Wacom ISDv4 E6 Finger.\(name).events",
            description: "wacom-isdv4-e6/Wacom ISDv4 E6 Finger.desc", width: 1366, height: 768,
            prefersSwipes: prefersSwipes, recognized: recognized)
    }

    static func egalax(_ name: String, _ recognized: [String]) -> Self {
        let device = "egalax-pcap/eGalax_eMPIA Technology Inc. PCAP MultiTouch Controller"
        return Self(name: "\(device).\(name).events", description: "\(device).desc", recognized: recognized)
    }

    static func elan(_ name: String, _ recognized: [String]) -> Self {
        Self(
            name: "elan-cando/ELAN CANDO Windows7.\(name).events",
            description: "elan-cando/ELAN CANDO Windows7.desc", recognized: recognized)
    }

    static let all: [Self] = [
        .egalax("tap", ["tap ended"]),
        .wacom("single-tap-center", ["tap ended"]),
        .wacom("double-tap-center", ["double tap ended"]),
        // Nine taps at most 0.35 s apart.
        .atmel(
            "1-finger-fast-taps",
            ["double tap ended", "double tap ended", "double tap ended", "double tap ended", "tap ended"]),
        .wacom("2fg-tap", ["two-finger tap ended"]),
        // Despite its name it contains one tap of two fingers.
        .wacom("2fg-double-tap", ["two-finger tap ended"]),
        // The two fingers rest for just over half a second.
        .edt("2-fingers-touch-release", ["two-finger press began", "two-finger press ended"]),
        // The first finger rests alone for half a second before the second comes down.
        .ntrig("2-fingers-touch-release", ["press began", "press ended"]),
        // The fingers rest for 0.8 s, too long for a tap, and move 8 points closer together.
        .atmel("2-fingers-touch-release", ["pinch began", "pinch ended"]),
        .atmel("1-finger-drag-up-down", ["drag began", "drag ended"]),
        .edt("1-finger-drag-up-down", ["drag began", "drag ended"]),
        .elan("1-finger-drag-up-down", ["drag began", "drag ended"]),
        .ntrig("1-finger-drag-NW-SE", ["drag began", "drag ended"]),
        .wacom("single-center-scroll", ["drag began", "drag ended"]),
        .wacom("single-center-circle", ["drag began", "drag ended"]),
        .edt("2-finger-scroll-down", ["two-finger scroll began", "two-finger scroll ended"]),
        .wacom("double-center-scroll", ["two-finger scroll began", "two-finger scroll ended"]),
        .wacom("double-center-circle", ["two-finger scroll began", "two-finger scroll ended"]),
        .atmel("4-finger-drag-down", ["four-finger drag began", "four-finger drag ended"]),
        .edt("4-finger-drag-down", ["four-finger drag began", "four-finger drag ended"]),
        // UIKit's documentation: a pan prevents a swipe on the same view, unless it requires the swipe to fail.
        .wacom("single-top-swipe", ["drag began", "drag ended"]),
        .wacom("double-top-swipe", ["two-finger scroll began", "two-finger scroll ended"]),
        .wacom("single-top-swipe", prefersSwipes: true, ["swipe right ended"]),
        .wacom("double-top-swipe", prefersSwipes: true, ["two-finger swipe right ended"]),
    ]
}
