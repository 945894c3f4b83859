import UIKitNames

/// An octave of piano keys for all fingers: chords, and glissandi across the keys.
///
/// The keyboard receives the touches, not its keys: a touch keeps its view, but a finger changes keys. A key sounds as
/// long as any finger is on it.
final class PianoKeyboard: UIView {
    var onNote: (_ note: Int, _ isOn: Bool) -> Void = { _, _ in }
    /// The notes that sound, as semitones above C.
    var soundingNotes: Set<Int> { Set(notes.values) }
    private var notes: [UITouch: Int] = [:]

    override init(frame: CGRect) {
        super.init(frame: frame)
        isMultipleTouchEnabled = true
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { play(touches) }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { play(touches) }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { release(touches) }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { release(touches) }

    private func play(_ touches: Set<UITouch>) {
        change { for touch in touches { notes[touch] = note(at: touch.location(in: self)) } }
    }

    private func release(_ touches: Set<UITouch>) {
        change { for touch in touches { notes[touch] = nil } }
    }

    private func change(_ body: () -> Void) {
        let before = soundingNotes
        body()
        for note in before.subtracting(soundingNotes).sorted() { onNote(note, false) }
        for note in soundingNotes.subtracting(before).sorted() { onNote(note, true) }
    }

    /// Black keys lie on the white ones, in the upper 60 % of them.
    private func note(at point: CGPoint) -> Int? {
        guard bounds.contains(point) else { return nil }
        let place = point.x / bounds.width * 7
        if point.y < bounds.height * 0.6 {
            let black = [1: 1, 2: 3, 4: 6, 5: 8, 6: 10][Int(place.rounded())]
            if let black, abs(place - place.rounded()) < 0.3 { return black }
        }
        return [0, 2, 4, 5, 7, 9, 11][Int(place)]
    }
}
