import Foundation
import Testing

@testable import WebServer

@Suite("The inspector's token") struct AccessTokenTests {
    private func file(_ text: String, mode: Int = 0o600) throws -> String {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "touchd-\(UUID().uuidString.prefix(8)).token").path
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes))
        return path
    }

    @Test("a new token has 256 bits and matches only itself")
    func new() {
        let (one, other) = (AccessToken(), AccessToken())
        #expect(one.text.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(one.matches(one.text))
        #expect(!one.matches(other.text) && !one.matches("") && !one.matches(one.text + "0"))
        #expect(!one.matches(String(one.text.dropLast())))
    }

    @Test("a token from a file is read without its newline")
    func read() throws {
        let path = try file("abcdefghijklmnopqrstuv_-1\n")
        defer { unlink(path) }
        #expect(try AccessToken(file: path).text == "abcdefghijklmnopqrstuv_-1")
    }

    @Test("a world-readable, too short or missing token file is rejected")
    func refused() throws {
        let open = try file("abcdefghijklmnopqrstuvwxyz", mode: 0o644), short = try file("secret")
        defer { for path in [open, short] { unlink(path) } }
        #expect(throws: AccessTokenError.readableByAll(path: open)) { try AccessToken(file: open) }
        #expect(throws: AccessTokenError.tooShort(path: short)) { try AccessToken(file: short) }
        #expect(throws: AccessTokenError.unreadable(path: "/nowhere")) { try AccessToken(file: "/nowhere") }
    }
}
