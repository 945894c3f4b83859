import EvdevFuzz
import Foundation
import Testing

/// The inputs that libFuzzer kept in `make fuzz`: together they cover all code that it reached, and include former
/// failures.
@Suite("Fuzzed input")
struct FuzzCorpusTests {
    @Test(
        "No input of libFuzzer breaks a rule: every contact and key ends once",
        arguments: FuzzTarget.allCases)
    func corpus(_ target: FuzzTarget) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzz/corpus/\(target)")
        let inputs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)

        let violations = try inputs.compactMap { input in
            try Data(contentsOf: input).withUnsafeBytes { target.violation($0) }
                .map { "\(input.lastPathComponent): \($0)" }
        }

        #expect(inputs.count > 20)
        #expect(violations.isEmpty)
    }
}
