import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A joystick") struct JoystickTests {
    let stage = Stage()
    let page: ScrollView
    let left = Joystick(frame: CGRect(x: 100, y: 700, width: 200, height: 200))
    let right = Joystick(frame: CGRect(x: 700, y: 700, width: 200, height: 200))

    init() {
        page = ScrollView(frame: stage.window.bounds)
        page.contentSize = CGSize(width: 1024, height: 3000)
        page.addSubview(left)
        page.addSubview(right)
        stage.window.addSubview(page)
    }

    @Test("it follows its thumb to the circle's edge, and springs back")
    func follow() {
        let thumb = stage.finger(at: 205, 800)
        #expect(left.direction == .zero)
        thumb.moves(to: 250, 800)
        #expect(left.direction == CGVector(dx: 0.5, dy: 0))
        thumb.moves(to: 200, 100, over: 0.2)
        #expect(left.direction == CGVector(dx: 0, dy: -1) && page.contentOffset.y == 0)
        thumb.lifts()
        #expect(left.direction == .zero)
    }

    @Test("two thumbs move two sticks, even over the other's place")
    func twoSticks() {
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: 200, 800), second.landing(at: 800, 800))
        stage.send(first.moving(to: 900, 800), second.moving(to: 100, 800))
        #expect(left.direction.dx == 1 && right.direction.dx == -1)
        first.lifts()
        #expect(left.direction == .zero && right.direction.dx == -1)
    }

    @Test("a second finger on a stick changes nothing")
    func secondFinger() {
        let thumb = stage.finger(at: 200, 800)
        thumb.moves(to: 300, 800)
        let second = stage.finger(at: 200, 850)
        second.moves(to: 200, 900)
        second.lifts()
        #expect(left.direction == CGVector(dx: 1, dy: 0))
    }

    @Test("a finger beside a held stick does not scroll the page, which would cancel the thumb's touch")
    func heldStick() {
        let thumb = stage.finger(at: 200, 800)
        thumb.moves(to: 300, 800)
        let finger = stage.finger(at: 500, 300)
        finger.moves(to: 500, 100, over: 0.1)
        #expect(page.contentOffset.y == 0 && left.direction == CGVector(dx: 1, dy: 0))
    }

    @Test("a cancelled touch releases the stick, and the page scrolls beside it")
    func cancelled() {
        let thumb = stage.finger(at: 200, 800)
        thumb.moves(to: 300, 800)
        thumb.becomesPalm()
        #expect(left.direction == .zero)
        let finger = stage.finger(at: 500, 800)
        finger.moves(to: 500, 700, over: 0.1)
        #expect(page.contentOffset.y.rounded() == 100)
    }
}
