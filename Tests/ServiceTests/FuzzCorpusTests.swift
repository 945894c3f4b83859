import Foundation
import ServiceFuzz
import Testing

/// What libFuzzer kept in `make fuzz`: inputs that together reach whatever it reached, and those that once broke a rule.
@Suite("Fuzzed layouts, requests and journals")
struct FuzzCorpusTests {
    @Test("Nothing that libFuzzer found breaks a rule", arguments: ServiceFuzzTarget.allCases)
    func corpus(_ target: ServiceFuzzTarget) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzz/corpus/\(target)")
        let inputs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)

        let violations = try inputs.compactMap { input in
            try Data(contentsOf: input).withUnsafeBytes { target.violation($0) }
                .map { "\(input.lastPathComponent): \($0)" }
        }

        #expect(inputs.count > 5)
        #expect(violations.isEmpty)
    }
}
