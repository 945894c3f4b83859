import CLinux
import Testing

@testable import Evdev

/// A surface that covers a part of its screen.
@Suite("A surface on a part of the screen")
struct SurfaceRegionTests {
    static let rightHalf = SurfaceRegion(x: 0.5, y: 0.25, width: 0.5, height: 0.5)

    @Test(
        "The surface's corners and center are those of its region",
        arguments: [
            (Int32(0), Int32(0), 0.5, 0.25), (50, 50, 0.75, 0.5), (100, 100, 1, 0.75), (25, 75, 0.625, 0.625),
        ])
    func positions(_ x: Int32, _ y: Int32, _ screenX: Double, _ screenY: Double) throws {
        var panel = Feed(.slots, .init(region: Self.rightHalf))
        var position: SurfacePoint?
        panel.report([.trackingID(1), .x(x), .y(y)]) { position = $0.contacts.first?.position }

        let point = try #require(position)
        // 100 is beyond the axis: it is clamped to the surface's last unit, and a region does not change that.
        #expect(abs(point.x - screenX) < 1e-9 && abs(point.y - screenY) < 1e-9)
        #expect((0.5..<1).contains(point.x) && (0.25..<0.75 + 1e-9).contains(point.y))
    }

    @Test("Calibrated positions beyond the surface are clamped to the region's edge")
    func heldInRegion() {
        var panel = Feed(
            .slots,
            .init(
                calibration: CalibrationMatrix(3, 0, 0, 0, 1, 0),
                region: SurfaceRegion(x: 0, y: 0, width: 0.5, height: 1)))
        _ = panel.report([.trackingID(1), .x(60), .y(50)])
        #expect(panel.contacts.count == 1)
        #expect(panel.contacts.map(\.position.x).allSatisfy { $0 > 0.49 && $0 <= 0.5 })
    }

    @Test("An absolute pointer is mapped to its region like a touchscreen")
    func pointer() {
        var pointer = Feed(.absolutePointer, .init(region: Self.rightHalf))
        var motion: PointerMotion?
        pointer.report([.singleX(50), .singleY(50)]) { motion = $0.pointer }

        #expect(motion == .to(SurfacePoint(x: 0.75, y: 0.5)))
    }

    @Test(
        "The ends of an axis are the first and the last unit of the screen, also turned and mirrored",
        arguments: Rotation.allCases)
    func ends(_ rotation: Rotation) throws {
        for (x, y) in [(0, 0), (99, 0), (0, 99), (99, 99)] as [(Int32, Int32)] {
            var panel = Feed(.slots, .init(calibration: rotation.matrix))
            var position: SurfacePoint?
            panel.report([.trackingID(1), .x(x), .y(y)]) { position = $0.contacts.first?.position }
            let point = try #require(position)
            let expected: (Int32, Int32) =
                switch rotation {
                case .none: (x, y)
                case .quarter: (99 - y, x)
                case .half: (99 - x, 99 - y)
                case .threeQuarters: (y, 99 - x)
                }
            #expect(abs(point.x * 100 - Double(expected.0)) < 1e-9 && abs(point.y * 100 - Double(expected.1)) < 1e-9)
        }
    }

    @Test("The size of a contact is that on the screen, also on a mirrored or turned axis")
    func sizes() {
        var description = DeviceDescription(name: "made up")
        description.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: 9))
        description.insertAxis(UInt16(ABS_MT_TOUCH_MAJOR), AxisInfo(minimum: 0, maximum: 255))
        // The panel's driver swaps the minimum and the maximum of x.
        description.insertAxis(UInt16(ABS_MT_POSITION_X), AxisInfo(minimum: 199, maximum: 0))
        description.insertAxis(UInt16(ABS_MT_POSITION_Y), AxisInfo(minimum: 0, maximum: 99))
        for (rotation, radius) in [(Rotation.none, 0.05), (.quarter, 0.1), (.half, 0.05), (.threeQuarters, 0.1)] {
            var axes = ContactAxes()
            axes.major = 20
            var settings = DeviceSettings()
            settings.calibration = rotation.matrix
            let contact = ContactScale(description, .slots, settings)
                .contact(.began, id: 1, trackingID: 1, slot: 0, axes: axes)
            #expect(abs(Double(contact.majorRadius ?? 0) - radius) < 1e-6)
        }
    }

    @Test("The size of a contact is in the unit of the size axis if all axes have a resolution")
    func sizesWithResolution() {
        var description = DeviceDescription(name: "made up")
        description.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: 9))
        description.insertAxis(UInt16(ABS_MT_TOUCH_MAJOR), AxisInfo(minimum: 0, maximum: 255, resolution: 1))
        description.insertAxis(UInt16(ABS_MT_POSITION_X), AxisInfo(minimum: 0, maximum: 7999, resolution: 40))
        description.insertAxis(UInt16(ABS_MT_POSITION_Y), AxisInfo(minimum: 0, maximum: 3999, resolution: 20))
        // Of a width and a height of 200 mm, 10 mm.
        for rotation in [Rotation.none, .quarter] {
            var axes = ContactAxes()
            axes.major = 20
            var settings = DeviceSettings()
            settings.calibration = rotation.matrix
            let contact = ContactScale(description, .slots, settings)
                .contact(.began, id: 1, trackingID: 1, slot: 0, axes: axes)
            #expect(abs(Double(contact.majorRadius ?? 0) - 0.05) < 1e-6)
            #expect(contact.minorRadius == contact.majorRadius)
        }
    }

    @Test("The angle of a contact follows the rotation and the mirroring of its screen")
    func angles() {
        var description = DeviceDescription(name: "made up")
        description.insertAxis(UInt16(ABS_MT_SLOT), AxisInfo(minimum: 0, maximum: 9))
        description.insertAxis(UInt16(ABS_MT_ORIENTATION), AxisInfo(minimum: -6, maximum: 6))
        description.insertAxis(UInt16(ABS_MT_POSITION_Y), AxisInfo(minimum: 0, maximum: 99))
        for (isSwapped, angles) in [(false, [30, -60, 30, -60]), (true, [-30, 60, -30, 60])] {
            // The panel's driver may swap the minimum and the maximum of x.
            description.insertAxis(
                UInt16(ABS_MT_POSITION_X), AxisInfo(minimum: isSwapped ? 199 : 0, maximum: isSwapped ? 0 : 199))
            for (rotation, angle) in zip([Rotation.none, .quarter, .half, .threeQuarters], angles) {
                var axes = ContactAxes()
                axes.orientation = 2
                var settings = DeviceSettings()
                settings.calibration = rotation.matrix
                let contact = ContactScale(description, .slots, settings)
                    .contact(.began, id: 1, trackingID: 1, slot: 0, axes: axes)
                let degrees = Double(contact.orientation ?? 0) * 180 / .pi
                #expect(abs(degrees - Double(angle)) < 1e-4, "\(rotation), \(isSwapped): \(degrees)")
            }
        }
    }

    @Test("The distance to the nearest edge counts from the region's own edges")
    func distance() {
        let region = SurfaceRegion(x: 0.5, y: 0.25, width: 0.25, height: 0.5)
        let unit = SurfacePoint(x: 0.01, y: 0.01)
        for (x, y, distance) in [(0.72, 0.5, 3), (0.53, 0.5, 3), (0.6, 0.29, 4), (0.6, 0.71, 4)]
            as [(Double, Double, Double)]
        {
            #expect(abs(region.distanceToEdge(SurfacePoint(x: x, y: y), in: unit) - distance) < 1e-9)
        }
    }
}
