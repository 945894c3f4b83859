import Foundation
import ServiceFuzz
import Testing

/// The inputs that libFuzzer kept in `make fuzz`: together they cover all code that it reached, and include former
/// failures.
@Suite("Fuzzed layouts, requests and journals")
struct ServiceFuzzTests {
    @Test("no input found by libFuzzer breaks a rule", arguments: ServiceFuzzTarget.allCases)
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
