import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A carousel") struct CarouselTests {
    let stage = Stage()
    let page: ScrollView
    let carousel: Carousel
    let edgePan = UIScreenEdgePanGestureRecognizer()
    let returns = Counter()

    init() {
        page = ScrollView(frame: stage.window.bounds)
        page.contentSize = CGSize(width: 1024, height: 3000)
        carousel = Carousel(
            frame: CGRect(x: 0, y: 100, width: 1024, height: 400),
            pages: (0..<3).map { _ in UIView(frame: .zero) })
        page.addSubview(carousel)
        stage.window.addSubview(page)
        edgePan.edges = .left
        edgePan.addHandler(in: [.ended]) { [returns] _ in returns.count() }
        stage.window.addGestureRecognizer(edgePan)
    }

    private func drag(from x: CGFloat, to end: CGFloat, over seconds: TimeInterval) {
        let finger = stage.finger(at: x, 300)
        finger.moves(to: end, 300, over: seconds)
        finger.lifts()
        carousel.layoutIfNeeded()
    }

    @Test("a flick turns one page, and so does half of the width; a short slow movement turns none")
    func pages() {
        drag(from: 600, to: 500, over: 0.1)
        #expect(carousel.currentPage == 1)
        drag(from: 900, to: 300, over: 3)
        #expect(carousel.currentPage == 2)
        drag(from: 300, to: 500, over: 2)
        #expect(carousel.currentPage == 2 && carousel.pages[2].convert(CGPoint.zero, to: nil) == CGPoint(x: 0, y: 100))
        drag(from: 900, to: 300, over: 0.2)
        #expect(carousel.currentPage == 2)
    }

    @Test("a movement from the edge of the screen goes back, and turns no page")
    func edge() {
        drag(from: 600, to: 500, over: 0.1)
        drag(from: 5, to: 305, over: 0.2)
        #expect(returns.value == 1 && carousel.currentPage == 1)
        drag(from: 205, to: 505, over: 0.2)
        #expect(returns.value == 1 && carousel.currentPage == 0)
    }

    @Test("a finger that goes up scrolls the page around it; one that goes sideways does not")
    func losesToThePage() {
        let finger = stage.finger(at: 600, 300)
        finger.moves(to: 580, 200, over: 0.1)
        finger.moves(to: 180, 200, over: 0.1)
        #expect(page.contentOffset.y.rounded() == 100)
        finger.becomesPalm()
        #expect(carousel.currentPage == 0)
    }

    @Test("a cancelled movement turns no page")
    func cancelled() {
        let finger = stage.finger(at: 900, 300)
        finger.moves(to: 100, 300, over: 0.2)
        finger.becomesPalm()
        carousel.layoutIfNeeded()
        #expect(carousel.currentPage == 0 && carousel.pages[0].convert(CGPoint.zero, to: nil).x == 0)
    }
}
