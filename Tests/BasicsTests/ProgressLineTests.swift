import Testing

@testable import Basics

@Suite struct ProgressLineTests {
    private final class Output {
        var text = ""
    }

    private func output(isShown: Bool = true, updates: [Double]) -> String {
        let output = Output()
        var progress = ProgressLine("entries", isShown: isShown) { output.text += $0 }
        for seconds in updates {
            for _ in 0..<500 { progress.add() }
            progress.update(after: seconds)
        }
        progress.clear()
        return output.text
    }

    @Test("the line appears after a second, twice a second at most, and is removed at the end")
    func line() {
        #expect(
            output(updates: [0.9, 2, 2.4, 2.5])
                == "\r1000 entries, 500 a second\u{1B}[K\r2000 entries, 800 a second\u{1B}[K\r\u{1B}[K")
    }

    @Test("a short command, a pipe and a terminal without escapes have none")
    func none() {
        #expect(output(updates: [0.2, 0.9]) == "")
        #expect(output(isShown: false, updates: [2, 3]) == "")
    }
}
