import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A PIN pad") struct PinControllerTests {
    let stage = Stage()
    let controller = PinController(length: 4)
    let codes = Log<String>()

    init() {
        controller.onCode = codes.append
        stage.window.rootViewController = controller
    }

    @Test("four keys make a code; one is deleted by a tap, all by a long press")
    func code() {
        stage.taps(at: 50, 50)
        stage.taps(at: 150, 150)
        stage.taps(at: 250, 350)
        #expect(controller.code == "1")
        let finger = stage.finger(at: 250, 350)
        stage.taps(at: 50, 50)
        stage.advanceTime(by: 0.6)
        finger.lifts()
        #expect(controller.code == "")
        for x in [50, 150, 250] { stage.taps(at: CGFloat(x), 250) }
        stage.taps(at: 150, 350)
        #expect(codes.entries == ["7890"] && controller.code == "")
    }

    @Test("a long press on the deleting key sends no action of the key")
    func longPress() {
        for _ in 0..<3 { stage.taps(at: 50, 50) }
        let finger = stage.finger(at: 250, 350)
        stage.advanceTime(by: 0.6)
        #expect(controller.code == "")
        stage.advanceTime(by: 0.1)
        finger.lifts()
        stage.taps(at: 50, 50)
        #expect(controller.code == "1")
    }

    @Test("a second finger presses no key while the first is down")
    func exclusive() {
        let first = stage.finger(at: 50, 50)
        stage.taps(at: 250, 50)
        first.lifts()
        #expect(controller.code == "1")
    }

    @Test("a finger that leaves its key far behind, and a palm, press nothing")
    func cancelled() {
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 50, 250)
        finger.lifts()
        let palm = stage.finger(at: 50, 50)
        palm.becomesPalm()
        #expect(controller.code == "")
    }

    @Test("a keyboard types digits, and other keys go to the window")
    func keyboard() {
        let others = Log<UInt16>()
        let window = KeyWindow(frame: stage.window.bounds, application: stage.application, screen: stage.screen)
        window.onKey = others.append
        stage.window.rootViewController = nil
        window.rootViewController = controller
        window.makeKeyAndVisible()
        #expect(controller.isFirstResponder)
        for code: UInt16 in [2, 11, 14, 30, 10] {
            stage.keyboard.presses(code)
            stage.keyboard.releases(code)
        }
        #expect(controller.code == "19" && others.entries == [30])
    }
}

/// A window that tells which keys nobody handled.
final class KeyWindow: UIWindow {
    var onKey: (UInt16) -> Void = { _ in }

    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        for press in presses { press.key.map { onKey($0.code) } }
    }
}
