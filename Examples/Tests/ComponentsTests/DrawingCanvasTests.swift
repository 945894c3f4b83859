import Evdev
import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A drawing canvas") struct DrawingCanvasTests {
    let stage = Stage()
    let canvas: DrawingCanvas

    init() {
        canvas = DrawingCanvas(frame: stage.window.bounds)
        stage.window.addSubview(canvas)
    }

    @Test("a stroke has every sample, also those that one event merges")
    func coalesced() {
        let finger = stage.finger(at: 100, 100)
        for x in [110, 120, 130] { stage.enqueue([finger.moving(to: CGFloat(x), 100)]) }
        stage.application.drainEvents()
        finger.lifts(at: 140, 100)
        #expect(canvas.strokes.count == 1)
        #expect(canvas.strokes.first?.map(\.x) == [100, 110, 120, 130, 140])
    }

    @Test("predictions lie ahead of the finger, and are never kept")
    func predicted() {
        let finger = stage.finger(at: 100, 100)
        finger.moves(to: 300, 100, over: 0.1)
        #expect(!canvas.prediction.isEmpty && canvas.prediction.allSatisfy { $0.x > 300 })
        finger.lifts()
        #expect(canvas.prediction.isEmpty && canvas.strokes[0].allSatisfy { $0.x <= 300 })
    }

    @Test("two fingers draw two strokes")
    func secondFinger() {
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: 100, 100), second.landing(at: 500, 100))
        stage.send(first.moving(to: 100, 200), second.moving(to: 500, 200))
        #expect(canvas.strokesInProgress.map(\.count) == [2, 2])
        stage.send(first.lifting(), second.lifting())
        #expect(Set(canvas.strokes.map(\.first?.x)) == [100, 500])
    }

    @Test("a cancelled stroke disappears")
    func cancelled() {
        let finger = stage.finger(at: 100, 100)
        finger.moves(to: 200, 200, over: 0.1)
        finger.becomesPalm()
        #expect(canvas.strokes.isEmpty && canvas.strokesInProgress.isEmpty)
    }

    @Test("once a pencil draws, the hand that holds it does not")
    func pencil() {
        let hand = stage.finger(at: 300, 300)
        var pencil = stage.finger().landing(at: 100, 100)
        pencil.tool = .pen
        stage.send(pencil)
        #expect(canvas.drawsWithPencil && canvas.strokesInProgress == [[CGPoint(x: 100, y: 100)]])
        hand.moves(to: 310, 310)
        hand.lifts()
        pencil.phase = .ended
        stage.send(pencil)
        stage.taps(at: 300, 300)
        #expect(canvas.strokes.map(\.count) == [2] && canvas.strokesInProgress.isEmpty)
    }

    @Test("a contact that grows to the size of a palm draws nothing")
    func palm() {
        var contact = stage.finger().landing(at: 100, 100)
        contact.majorRadius = 0.01
        stage.send(contact)
        #expect(canvas.strokesInProgress.count == 1)
        contact.phase = .moved
        contact.majorRadius = 0.06
        stage.send(contact)
        contact.phase = .ended
        stage.send(contact)
        #expect(canvas.strokes.isEmpty && canvas.strokesInProgress.isEmpty)
    }
}
