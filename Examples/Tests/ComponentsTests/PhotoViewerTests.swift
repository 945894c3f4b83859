import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A photo viewer") struct PhotoViewerTests {
    let stage = Stage()
    let viewer: PhotoViewer

    init() {
        viewer = PhotoViewer(frame: stage.window.bounds)
        stage.window.addSubview(viewer)
    }

    /// Where a point of the photo is on the screen, as whole numbers.
    private func place(_ x: CGFloat, _ y: CGFloat) -> CGPoint {
        let point = viewer.photo.convert(CGPoint(x: x, y: y), to: nil)
        return CGPoint(x: point.x.rounded(), y: point.y.rounded())
    }

    @Test("two fingers zoom and move at once: what was under them stays under them")
    func pinch() {
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: 400, 500), second.landing(at: 600, 500))
        for step in 1...20 {
            let way = 5 * CGFloat(step)
            stage.send(first.moving(to: 400 - way, 500 + way), second.moving(to: 600 + way, 500 + way))
        }
        #expect(abs(viewer.zoomScale - 2) < 1e-6)
        #expect(place(400, 500) == CGPoint(x: 300, y: 600) && place(600, 500) == CGPoint(x: 700, y: 600))

        second.lifts()
        first.moves(to: 250, 600, over: 0.1)
        #expect(place(400, 500) == CGPoint(x: 250, y: 600))
        first.lifts()
        #expect(abs(viewer.zoomScale - 2) < 1e-6 && place(400, 500) == CGPoint(x: 250, y: 600))
    }

    @Test("a photo that is too small or beside its place comes back")
    func clamp() {
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: 200, 500), second.landing(at: 800, 500))
        stage.send(first.moving(to: 400, 500), second.moving(to: 600, 500))
        #expect(viewer.zoomScale < 0.5)
        stage.send(first.lifting(), second.lifting())
        #expect(viewer.zoomScale == 1 && viewer.photo.frame == viewer.bounds)
        let finger = stage.finger(at: 500, 500)
        finger.moves(to: 700, 500, over: 0.1)
        #expect(viewer.photo.frame.minX.rounded() == 200)
        finger.becomesPalm()
        #expect(viewer.photo.frame == viewer.bounds)
    }

    @Test("a double tap zooms to its point and back, and is no single tap")
    func doubleTap() {
        for _ in 0..<2 { stage.taps(at: 300, 400) }
        #expect(viewer.zoomScale == 2.5 && place(300, 400) == CGPoint(x: 300, y: 400))
        stage.advanceTime(by: 1)
        for _ in 0..<2 { stage.taps(at: 300, 400) }
        stage.advanceTime(by: 1)
        #expect(viewer.zoomScale == 1 && viewer.photo.frame == viewer.bounds && !viewer.areBarsHidden)
    }

    @Test("a single tap hides the bars when it cannot become a double tap any more")
    func singleTap() {
        stage.taps(at: 300, 400)
        stage.advanceTime(by: 0.2)
        #expect(!viewer.areBarsHidden)
        stage.advanceTime(by: 0.2)
        #expect(viewer.areBarsHidden)
        stage.taps(at: 300, 400)
        stage.taps(at: 700, 400)
        stage.advanceTime(by: 1)
        #expect(viewer.areBarsHidden && viewer.zoomScale == 1)
    }
}
