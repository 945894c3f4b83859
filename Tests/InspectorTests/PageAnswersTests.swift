import Testing

@testable import Inspector
import ControlProtocol

@Suite("Events that a slow page can skip") @MainActor struct PageAnswersTests {
    private func record(_ phase: String) -> String {
        var record = InspectionRecord(time: 1, queue: InspectionRecord.Queue(frames: 0, age: 0))
        record.touches = [
            InspectionRecord.Touch(touch: 1, source: 1, phase: phase, x: 1, y: 0, view: "map", handlers: [])
        ]
        return String(decoding: record.line, as: UTF8.self)
    }

    @Test("a move is replaced by the next one; a begin, an end and a cancellation are not")
    func moves() {
        #expect(PageAnswers.isReplaced(record("moved")))
        for phase in ["began", "ended", "cancelled"] { #expect(!PageAnswers.isReplaced(record(phase))) }
        #expect(!PageAnswers.isReplaced(#"{"event":"page","page":"moved"}"#))
    }
}
