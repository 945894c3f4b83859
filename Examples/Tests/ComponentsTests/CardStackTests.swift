import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A stack of cards") struct CardStackTests {
    let stage = Stage()
    let cards = (0..<3).map { number in
        let card = UIView(frame: .zero)
        card.tag = number
        return card
    }
    let stack: CardStack
    let swipes = Log<Int>()

    init() {
        stack = CardStack(frame: CGRect(x: 200, y: 200, width: 600, height: 600), cards: cards)
        stack.onSwipe = { [swipes] card, isLiked in swipes.append(isLiked ? card.tag : -card.tag) }
        stage.window.addSubview(stack)
    }

    private func drag(by x: CGFloat, over seconds: TimeInterval) {
        let finger = stage.finger(at: 500, 500)
        finger.moves(to: 500 + x, 500, over: seconds)
        finger.lifts()
    }

    @Test("far or fast movements throw the top card away, and the next one follows the next finger")
    func throwing() {
        drag(by: 300, over: 1)
        #expect(swipes.entries == [0] && cards[0].superview == nil)
        drag(by: -100, over: 0.1)
        #expect(swipes.entries == [0, -1] && stack.subviews == [cards[2]])
        drag(by: 300, over: 0.2)
        drag(by: 300, over: 0.2)
        #expect(swipes.entries == [0, -1, 2] && stack.subviews.isEmpty)
    }

    @Test("a short slow movement turns the card and puts it back")
    func back() {
        let finger = stage.finger(at: 500, 500)
        finger.moves(to: 600, 500, over: 1)
        #expect(cards[0].center.x.rounded() == 400 && cards[0].transform.b > 0)
        finger.lifts()
        #expect(cards[0].frame == stack.bounds && cards[0].transform == .identity && swipes.entries.isEmpty)
    }

    @Test("a flick back is no throw, nor is a palm")
    func cancelled() {
        let finger = stage.finger(at: 500, 500)
        finger.moves(to: 650, 500, over: 0.5)
        finger.moves(to: 550, 500, over: 0.1)
        finger.lifts()
        let palm = stage.finger(at: 500, 500)
        palm.moves(to: 800, 500, over: 0.1)
        palm.becomesPalm()
        #expect(cards[0].frame == stack.bounds && swipes.entries.isEmpty)
    }

    @Test("a second finger does not move the card, nor the next one")
    func secondFinger() {
        let first = stage.finger(at: 500, 500)
        first.moves(to: 800, 500, over: 0.5)
        let second = stage.finger(at: 400, 500)
        second.moves(to: 300, 500)
        #expect(cards[0].center.x.rounded() == 600)
        first.lifts()
        #expect(swipes.entries == [0])
        second.moves(to: 100, 500, over: 0.1)
        second.lifts()
        #expect(swipes.entries == [0] && cards[1].frame == stack.bounds)
    }
}
