import Foundation
import Testing

@testable import TouchKit

@Suite("Coordinates of views, windows and screens")
struct GeometryTests {
    @Test("A2.14 a window converts to and from nil in screen coordinates")
    func windowConvertsToScreen() {
        let window = Window(frame: CGRect(x: 100, y: 50, width: 200, height: 200), application: Application())
        let view = View(frame: CGRect(x: 10, y: 20, width: 50, height: 50))
        window.addSubview(view)
        let point = CGPoint(x: 1, y: 2)
        let rect = CGRect(origin: point, size: CGSize(width: 3, height: 4))

        #expect(window.convert(point, to: nil) == CGPoint(x: 101, y: 52))
        #expect(window.convert(CGPoint(x: 101, y: 52), from: nil) == point)
        #expect(window.convert(rect, to: nil) == CGRect(x: 101, y: 52, width: 3, height: 4))
        #expect(window.convert(CGRect(x: 101, y: 52, width: 3, height: 4), from: nil) == rect)
        #expect(view.convert(point, to: nil) == CGPoint(x: 11, y: 22))
        #expect(view.convert(CGPoint(x: 11, y: 22), from: nil) == point)
    }

    @Test("A2.14 a rectangle between rotated views is converted by bounding boxes")
    func rectBetweenTurnedViews() {
        let root = View(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let (first, second) = (View(frame: root.bounds), View(frame: root.bounds))
        for view in [first, second] {
            view.transform = CGAffineTransform(rotationAngle: .pi / 4)
            root.addSubview(view)
        }
        let rect = CGRect(x: 45, y: 45, width: 10, height: 10)

        for result in [first.convert(rect, to: second), second.convert(rect, from: first)] {
            #expect(abs(result.width - 20) < 1e-9 && abs(result.height - 20) < 1e-9)
            #expect(abs(result.midX - 50) < 1e-9 && abs(result.midY - 50) < 1e-9)
        }
        let up = first.convert(rect, to: root)
        #expect(abs(up.width - 200.squareRoot()) < 1e-9)
        #expect(first.convert(rect, to: first) == rect)
    }

    @Test("CGAffineTransform() is all zeros, as in Core Graphics")
    func zeroTransform() {
        let zero = CGAffineTransform()

        #expect([zero.a, zero.b, zero.c, zero.d, zero.tx, zero.ty].allSatisfy { $0 == 0 })
        #expect(CGAffineTransform.identity == CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0))
        #expect(CGAffineTransform.identity.isIdentity && !zero.isIdentity)
    }

    @Test("CGRect.null stays null under a transform and a conversion")
    func nullRect() {
        let (root, view) = (View(frame: .zero), View(frame: CGRect(x: 5, y: 5, width: 5, height: 5)))
        root.addSubview(view)

        #expect(CGRect.null.applying(CGAffineTransform(scaleX: 2, y: 2)).isNull)
        #expect(view.convert(CGRect.null, to: root).isNull)
    }

    @Test("A2.5 a view scaled to 0 receives touches of its whole superview, as on iOS")
    func scaledToZero() {
        let root = View(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let view = View(frame: CGRect(x: 40, y: 40, width: 20, height: 20))
        root.addSubview(view)

        view.transform = CGAffineTransform(scaleX: 0, y: 0)

        #expect(root.hitTest(CGPoint(x: 1, y: 1), with: nil) === view)
    }
}
