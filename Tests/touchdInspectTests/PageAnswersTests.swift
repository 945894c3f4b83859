import Testing

@testable import touchd_inspect
import ControlProtocol

@Suite("Events that a slow page can skip") @MainActor struct PageAnswersTests {
    private func record(_ phase: TouchRecord.Phase) -> String {
        InspectionRecord {
            $0.time = 1
            $0.touches = [.init { ($0.touch, $0.source, $0.phase, $0.x, $0.y, $0.view) = (1, 1, phase, 1, 0, "map") }]
        }.text + "\n"
    }

    @Test("a move is replaced by the next one; a begin, an end and a cancellation are not")
    func moves() {
        #expect(PageAnswers.isReplaced(record(.moved)))
        for phase in [TouchRecord.Phase.began, .ended, .cancelled] { #expect(!PageAnswers.isReplaced(record(phase))) }
        #expect(!PageAnswers.isReplaced(#"{"event":"page","page":"moved"}"#))
    }
}
