import Evdev
import Foundation
import Testing
import TouchKit
import TouchKitTesting

@testable import Service

@Suite("Pressure and size of forwarded contacts") struct PressureTests {
    private static let layout = """
        screen: {size: [500, 1000]}
        devices: [{match: {name: "*"}, forward: true}]
        """

    /// A panel of 1000 × 500 units that is mounted upright.
    private func kiosk(_ axes: [(UInt16, AxisInfo)]) throws -> ForwardedKiosk {
        try ForwardedKiosk(Self.layout, panel: .panel(axes: axes, rotation: .quarter))
    }

    private func send(_ kiosk: ForwardedKiosk, _ phase: Contact.Phase, pressure: Float, major: Float) {
        let middle = SurfacePoint(x: 0.5, y: 0.5)
        kiosk.send(Contact(id: 1, phase: phase, position: middle, pressure: pressure, majorRadius: major))
    }

    /// The values of an axis, in the order in which they were written.
    private func values(_ code: UInt16, _ kiosk: ForwardedKiosk) -> [Int32] {
        kiosk.reader.events.filter { $0.type == EventType.absolute && $0.code == code }.map(\.value)
    }

    @Test("a contact has the panel's pressure and larger diameter, in the panel's units, also without a movement")
    func forwarded() throws {
        let kiosk = try kiosk([
            (AbsCode.multitouchPressure, AxisInfo(minimum: 10, maximum: 210)),
            (AbsCode.touchMajor, AxisInfo(minimum: 0, maximum: 255)),
        ])
        // A diameter of 20 of the panel's 500 units that are across the upright screen, as the decoder reports it.
        send(kiosk, .began, pressure: 0.5, major: 0.02)
        send(kiosk, .moved, pressure: 0.75, major: 0.03)
        send(kiosk, .moved, pressure: 0.75, major: 0.03)
        send(kiosk, .ended, pressure: 0, major: 0)
        #expect(values(AbsCode.multitouchPressure, kiosk) == [110, 160])
        #expect(values(AbsCode.touchMajor, kiosk) == [20, 30])
        // For readers of a single contact, as the kernel's drivers report it.
        #expect(values(AbsCode.pressure, kiosk) == [110, 160, 0])
        #expect(kiosk.info.forwardedDescription.axes[AbsCode.multitouchPressure]?.maximum == 210)
    }

    @Test("a panel without these axes has a touchscreen without them")
    func absent() throws {
        let kiosk = try kiosk([])
        send(kiosk, .began, pressure: 0.5, major: 0.02)
        send(kiosk, .moved, pressure: 0.7, major: 0.03)
        let axes: [UInt16] = [AbsCode.pressure, AbsCode.multitouchPressure, AbsCode.touchMajor]
        #expect(axes.allSatisfy { kiosk.info.forwardedDescription.axes[$0] == nil })
        #expect(axes.allSatisfy { values($0, kiosk).isEmpty })
    }
}
