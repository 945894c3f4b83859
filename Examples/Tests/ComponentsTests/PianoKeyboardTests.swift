import Testing
import TouchKitTesting
import UIKitNames

@testable import Components

@Suite("A piano") struct PianoKeyboardTests {
    let stage = Stage()
    let piano = PianoKeyboard(frame: CGRect(x: 0, y: 0, width: 700, height: 200))
    let log = Log<String>()

    init() {
        piano.onNote = { [log] note, isOn in log.append("\(isOn ? "+" : "-")\(note)") }
        stage.window.addSubview(piano)
    }

    @Test("three fingers in one report play a chord")
    func chord() {
        let fingers = [stage.finger(), stage.finger(), stage.finger()]
        stage.send(fingers[0].landing(at: 50, 150), fingers[1].landing(at: 250, 150), fingers[2].landing(at: 450, 150))
        #expect(log.entries == ["+0", "+4", "+7"])
        stage.send(fingers[0].lifting(), fingers[2].lifting())
        #expect(piano.soundingNotes == [4])
    }

    @Test("a finger glides over the keys, the black ones too")
    func glissando() {
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 250, 50, over: 0.2)
        finger.lifts()
        #expect(log.entries == ["+0", "-0", "+1", "-1", "+2", "-2", "+3", "-3", "+4", "-4"])
    }

    @Test("a key sounds until the last of its fingers is lifted")
    func twoFingersOnAKey() {
        let first = stage.finger(at: 30, 150)
        let second = stage.finger(at: 70, 180)
        first.lifts()
        #expect(piano.soundingNotes == [0])
        second.lifts()
        #expect(log.entries == ["+0", "-0"])
    }

    @Test("a palm, a finger beside the keys and a lost panel leave no note behind")
    func cancelled() {
        let palm = stage.finger(at: 50, 150)
        let finger = stage.finger(at: 150, 150)
        palm.becomesPalm()
        #expect(piano.soundingNotes == [2])
        finger.moves(to: 150, 300)
        #expect(piano.soundingNotes.isEmpty)
        finger.moves(to: 250, 150)
        stage.unplug(.touchscreen)
        #expect(log.entries == ["+0", "+2", "-0", "-2", "+4", "-4"])
    }
}
