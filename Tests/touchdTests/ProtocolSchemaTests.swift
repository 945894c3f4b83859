import Foundation
import Testing

@testable import TestSupport

/// `touchd schema --protocol`, the JSON Schema of the control socket's lines.
@Suite("The schema of the protocol", .needs("python3-jsonschema")) struct ProtocolSchemaTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// What the schema rejects in lines, one line for each error.
    private func errors(in lines: URL) throws -> [String] {
        let schema = try TouchdProgram.run("schema", "--protocol")
        #expect(schema.status == 0)
        let folder = try TemporaryFolder()
        let file = try folder.file("schema.json", schema.output)
        let validator = Self.tests.appending(path: "touchdTests/Support/validate-protocol.py")
        let result = try TouchdProgram.run([validator.path, file.path, lines.path], program: "/usr/bin/python3")
        #expect(result.status == 0, "\(result.errors)")
        return result.lines
    }

    @Test("it accepts every message of version 1")
    func accepts() throws {
        #expect(try errors(in: Self.tests.appending(path: "ServiceTests/Files/protocol-1.txt")) == [])
    }

    @Test("it rejects a message without a member, with a value of another type, or out of range")
    func rejects() throws {
        let folder = try TemporaryFolder()
        let lines = try folder.file(
            "lines.txt",
            """
            → {"request": "go"}
            → {"request": "hello", "protocol": 2}
            → {"request": "subscribe", "to": ["touch"]}
            → {"request": "hit", "x": "1", "y": 2}
            ← {"error": {"code": "unknown", "message": ""}}
            ← {"event": "control", "time": 1, "control": "pressed"}
            ← {"event": "touch", "time": 1, "device": "", "touch": 1, "phase": "up", "view": null, "handlers": []}

            """)
        let errors = try errors(in: lines)
        #expect(
            errors.map { $0.prefix { $0 != ":" } } == [
                "request-go ", "request-hello protocol", "request-subscribe to/0", "request-hit x", "answer error/code",
                "event-control ", "event-touch phase",
            ], "\(errors)")
    }
}
