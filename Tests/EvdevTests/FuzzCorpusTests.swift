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
        let inputs = try Self.inputs(of: target)

        let violations = try inputs.compactMap { input in
            try Data(contentsOf: input).withUnsafeBytes { target.violation($0) }
                .map { "\(input.lastPathComponent): \($0)" }
        }

        #expect(inputs.count > 20)
        #expect(violations.isEmpty)
    }

    @Test("No damaged input breaks a rule", arguments: FuzzTarget.allCases)
    func damaged(_ target: FuzzTarget) throws {
        var random = SplitMix(seed: 7)
        let inputs = try Self.inputs(of: target).sorted { $0.path < $1.path }
        for input in inputs.shuffled(using: &random).prefix(40) {
            let whole = try Data(contentsOf: input).prefix(6000)
            for _ in 0..<2 {
                var bytes = Array(whole)
                for _ in 0..<Int.random(in: 1..<20, using: &random) {
                    let place = Int.random(in: 0...bytes.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &random)
                    case 1 where place < bytes.count: bytes.remove(at: place)
                    default: bytes.insert(contentsOf: ["99999999999", "\n", "-1"][place % 3].utf8, at: place)
                    }
                }
                #expect(bytes.withUnsafeBytes { target.violation($0) } == nil, "\(input.lastPathComponent)")
            }
        }
    }

    private static func inputs(of target: FuzzTarget) throws -> [URL] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzz/corpus/\(target)")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }
}
