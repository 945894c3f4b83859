import ControlProtocol
import Foundation
import Testing

@testable import TestSupport

/// The jack of a sound card, live: through udev, libevdev and the layout to a program that speaks.
@Suite("Headphones") struct HeadphonesTests {
    private static let layout = """
        screen: {size: [400, 400]}
        accessibility: {start: {headphones: true}}

        """
    private static let unused = layout + "devices: [{match: {name: \"*Headphone\"}, use: false}]\n"

    @Test("they start the talking mode, also if they were in before; pulled out, or with their card, they end it")
    func jack() throws {
        let folder = try TemporaryFolder()
        let description = try folder.file(
            "jack.evemu", "N: PCH Front Headphone\nI: 0000 0000 0000 0000\nB: 05 04 00 00 00 00 00 00 00\n")
        let kiosk = try MockedKiosk(layout: Self.unused, size: (400, 400))
        let speaker = try kiosk.connect()
        try speaker.send(.subscribe(to: .accessibility, moves: false))
        func change() throws -> String? { try JSONTree(speaker.nextEvent())["change"]?.string }

        try kiosk.devices.play(
            "attach jack \(description.path)", "event jack SW_HEADPHONE_INSERT 1", "frame jack",
            "attach later \(description.path)")
        // Then the first jack is in.
        while try speaker.status().devices.count(where: { $0.name.hasSuffix("Headphone") }) < 2 {}
        try kiosk.reload(Self.layout)
        #expect(try change() == "started")
        try kiosk.devices.play("event jack SW_HEADPHONE_INSERT 0", "frame jack")
        #expect(try change() == "ended")
        try kiosk.devices.play("event jack SW_HEADPHONE_INSERT 1", "frame jack")
        #expect(try change() == "started")
        try kiosk.devices.play("destroy jack")
        #expect(try change() == "ended")
    }
}
