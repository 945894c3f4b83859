import Foundation
import Testing
import TouchKit

@Suite("Paths")
struct PathTests {
    /// The points of a grid that a path contains, as a fraction of the grid's area.
    private func area(_ path: Path, in rect: CGRect) -> Double {
        var count = 0
        for row in 0..<100 {
            for column in 0..<100 {
                let point = CGPoint(
                    x: rect.minX + (Double(column) + 0.5) * rect.width / 100,
                    y: rect.minY + (Double(row) + 0.5) * rect.height / 100)
                if path.contains(point) { count += 1 }
            }
        }
        return Double(count) / 10000
    }

    @Test("an ellipse contains π/4 of its rectangle, which is its bounds")
    func ellipse() {
        let rect = CGRect(x: 10, y: 20, width: 200, height: 100)
        let path = Path(ovalIn: rect)
        #expect(abs(area(path, in: rect) - .pi / 4) < 0.002)
        #expect(path.contains(CGPoint(x: 11, y: 70)) && !path.contains(CGPoint(x: 12, y: 22)))
        let bounds = path.bounds
        #expect(abs(bounds.minX - 10) < 0.01 && abs(bounds.maxX - 210) < 0.01 && abs(bounds.maxY - 120) < 0.01)
    }

    @Test("only the named corners of a rectangle are round")
    func corners() {
        let rect = CGRect(x: 0, y: 0, width: 100, height: 60)
        let path = Path(
            roundedRect: rect, byRoundingCorners: [.topLeft, .bottomRight], cornerRadii: CGSize(width: 20, height: 20))
        #expect(!path.contains(CGPoint(x: 2, y: 2)) && !path.contains(CGPoint(x: 98, y: 58)))
        #expect(path.contains(CGPoint(x: 98, y: 2)) && path.contains(CGPoint(x: 2, y: 58)))
        #expect(path.bounds == rect && Path(rect: rect).contains(CGPoint(x: 1, y: 1)))
        #expect(Path(roundedRect: rect, cornerRadius: 500).bounds == rect)
    }

    @Test("an arc runs from the right downwards if it is clockwise, and the other way round if not")
    func arcs() {
        let lower = Path(arcCenter: .zero, radius: 10, startAngle: 0, endAngle: .pi, clockwise: true)
        let upper = Path(arcCenter: .zero, radius: 10, startAngle: 0, endAngle: .pi, clockwise: false)
        #expect(lower.contains(CGPoint(x: 0, y: 5)) && !lower.contains(CGPoint(x: 0, y: -5)))
        #expect(upper.contains(CGPoint(x: 0, y: -5)) && !upper.contains(CGPoint(x: 0, y: 5)))
        // Three quarters, across the angle 0.
        let most = Path(arcCenter: .zero, radius: 10, startAngle: -.pi / 4, endAngle: .pi * 5 / 4, clockwise: true)
        #expect(most.contains(CGPoint(x: 9, y: 0)) && !most.contains(CGPoint(x: 0, y: -9)))
    }

    @Test("a hole by the even-odd rule, or by an outline in the other direction")
    func holes() {
        let (path, inner) = (Path(rect: CGRect(x: 0, y: 0, width: 90, height: 90)), CGPoint(x: 45, y: 45))
        path.append(Path(rect: CGRect(x: 30, y: 30, width: 30, height: 30)))
        #expect(path.contains(inner))
        path.usesEvenOddFillRule = true
        #expect(!path.contains(inner) && path.contains(CGPoint(x: 10, y: 45)))
        let ring = Path(arcCenter: inner, radius: 40, startAngle: 0, endAngle: 2 * .pi, clockwise: true)
        ring.move(to: CGPoint(x: 65, y: 45))
        ring.addArc(withCenter: inner, radius: 20, startAngle: 0, endAngle: -2 * .pi, clockwise: false)
        #expect(!ring.contains(inner) && ring.contains(CGPoint(x: 45, y: 15)))
    }

    @Test("curves, an open outline, a transform, and an empty path")
    func curves() {
        let path = Path()
        #expect(path.isEmpty && path.bounds.isNull && !path.contains(.zero))
        path.move(to: .zero)
        path.addQuadCurve(to: CGPoint(x: 100, y: 0), controlPoint: CGPoint(x: 50, y: 100))
        #expect(path.contains(CGPoint(x: 50, y: 49)) && !path.contains(CGPoint(x: 50, y: 51)))
        #expect(abs(path.bounds.maxY - 50) < 0.02 && path.currentPoint == CGPoint(x: 100, y: 0))
        path.apply(CGAffineTransform(translationX: 1000, y: 0))
        #expect(path.contains(CGPoint(x: 1050, y: 25)) && !path.contains(CGPoint(x: 50, y: 25)))
        path.removeAllPoints()
        path.addCurve(
            to: CGPoint(x: 0, y: 10), controlPoint1: CGPoint(x: 10, y: 0), controlPoint2: CGPoint(x: 10, y: 10))
        path.addLine(to: .zero)
        path.close()
        #expect(path.contains(CGPoint(x: 5, y: 5)))
    }
}
