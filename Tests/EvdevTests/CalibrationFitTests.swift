import Evdev
import Testing

/// The calibration matrix for touched marks.
@Suite("Calibration from touches")
struct CalibrationFitTests {
    private static let marks = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)].map { SurfacePoint(x: $0.0, y: $0.1) }

    private func isNear(_ left: SurfacePoint, _ right: SurfacePoint) -> Bool {
        abs(left.x - right.x) < 1e-9 && abs(left.y - right.y) < 1e-9
    }

    @Test(
        "A surface that is rotated, mirrored, scaled or moved is corrected",
        arguments: [
            CalibrationMatrix.identity,
            Rotation.quarter.matrix, Rotation.half.matrix, Rotation.threeQuarters.matrix,
            CalibrationMatrix(-1, 0, 1, 0, 1, 0),
            CalibrationMatrix(1.1, 0.02, -0.05, 0.01, 0.95, 0.03),
            // A panel that reports a small part of its range, and one that reports many times its range.
            CalibrationMatrix(0.002, 0, 0.4, 0, 0.002, 0.1), CalibrationMatrix(0, 4000, 0, 3000, 0, -2),
        ])
    func exact(_ distortion: CalibrationMatrix) throws {
        let pairs = Self.marks.map { (touched: distortion.apply(to: $0), wanted: $0) }
        let matrix = try #require(CalibrationMatrix(fitting: pairs))
        for (touched, wanted) in pairs { #expect(isNear(matrix.apply(to: touched), wanted)) }
    }

    @Test("Inaccurate touches leave a small error, touches in another order a large one")
    func error() throws {
        let aside = [(0.01, 0), (0, -0.01), (-0.01, 0.01), (0, 0)]
        let pairs = zip(Self.marks, aside).map { mark, aside in
            (touched: SurfacePoint(x: mark.x + aside.0, y: mark.y + aside.1), wanted: mark)
        }
        #expect(try #require(CalibrationMatrix(fitting: pairs)).greatestError(of: pairs) < 0.02)

        let swapped = [0, 2, 1, 3].map { Self.marks[$0] }
        let mistaken = zip(swapped, Self.marks).map { (touched: $0, wanted: $1) }
        if let matrix = CalibrationMatrix(fitting: mistaken) {
            #expect(matrix.greatestError(of: mistaken) > 0.3)
        }
    }

    @Test("Touches on one line, or too few of them, give no matrix")
    func degenerate() {
        let line = Self.marks.map { (touched: SurfacePoint(x: $0.x, y: 0.5), wanted: $0) }
        #expect(CalibrationMatrix(fitting: line) == nil)
        #expect(CalibrationMatrix(fitting: Array(line.prefix(2))) == nil)
    }
}
