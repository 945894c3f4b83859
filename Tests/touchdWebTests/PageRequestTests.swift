import ControlProtocol
import Foundation
import Testing

@testable import touchd_web

@Suite("Requests that a page may send") struct PageRequestTests {
    private let origin = "http://127.0.0.1:8348"

    private func line(_ text: String) throws -> NSDictionary {
        let line = try PageRequest(Array(text.utf8), origin: origin).line
        #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1 && line.last == UInt8(ascii: "\n"))
        return try #require(try JSONSerialization.jsonObject(with: Data(line)) as? NSDictionary)
    }

    private func refusal(_ text: String) -> NSDictionary? {
        do throws(PageRequest.Refusal) {
            _ = try PageRequest(Array(text.utf8), origin: origin)
            return nil
        } catch {
            return (try? JSONSerialization.jsonObject(with: Data(error.line))) as? NSDictionary
        }
    }

    @Test("requests of a layout's steps reach touchd unchanged")
    func allowed() throws {
        #expect(
            try line(#"{"request": "go", "page": "start", "id": 7}"#) == ["request": "go", "page": "start", "id": 7])
        #expect(try line(#"{"request": "hit", "x": 1.25, "y": 2}"#) == ["request": "hit", "x": 1.25, "y": 2])
        // touchd reports that the number is too great.
        let great = try PageRequest(Array(#"{"request": "hit", "x": 1e400, "y": 2}"#.utf8), origin: origin).line
        #expect(String(decoding: great, as: UTF8.self) == "{\"request\": \"hit\", \"x\": 1e400, \"y\": 2}\n")
    }

    @Test("a request that is written in several lines reaches touchd in one")
    func lines() throws {
        let text =
            "{\"request\": \"views\",\r\n \"slot\": \"a\",\n \"views\": [\n  {\"id\": \"a\\nb\"}\n ],\n \"id\": 1}"
        #expect(try (line(text)["views"] as? [[String: String]]) == [["id": "a\nb"]])
        #expect(refusal("{\"request\": \"reload\",\n \"id\":\n \"a\"}")?["id"] as? String == "a")
    }

    @Test(
        "requests of the administrator are refused, with their id",
        arguments: ["reload", "ignore", "recording", "devices", "status", "rehearse", "inspect", ""])
    func refused(name: String) throws {
        let answer = try #require(refusal("{\"request\": \"\(name)\", \"id\": \"a\"}"))
        #expect(answer["id"] as? String == "a")
        #expect((answer["error"] as? NSDictionary)?["code"] as? String == "unknown-request")
    }

    @Test("a page gets the touches of the views that it published, and no inspection")
    func subscribing() throws {
        let asked = #"{"request": "subscribe", "to": ["touches", "controls"], "own": false}"#
        #expect(try line(asked)["own"] as? Bool == true)
        for topic in ["inspection", "devices", "nonsense"] {
            #expect(refusal("{\"request\": \"subscribe\", \"to\": [\"touches\", \"\(topic)\"]}") != nil)
        }
    }

    @Test("the publisher of views is the page's address, and another origin's address is replaced")
    func publisher() throws {
        func publisher(_ address: String) throws -> String? {
            try line("{\"request\": \"views\", \"slot\": \"a\", \"views\": [], \"publisher\": \"\(address)\"}")[
                "publisher"] as? String
        }
        #expect(try publisher("\(origin)/shop/") == "\(origin)/shop/")
        #expect(try publisher("\(origin)/shop/?name=Ann#pay") == "\(origin)/shop/")
        #expect(try publisher("\(origin)/\(String(repeating: "a", count: 200))")?.count == 128)
        for address in ["https://bank.example/", "\(origin).evil.example/", "\(origin)", ""] {
            #expect(try publisher(address) == origin)
        }
    }

    @Test("one message is one request: a newline or a second key starts no other one")
    func injection() throws {
        #expect(
            try line("{\"request\": \"go\",\n\"page\": \"a\\n{\\\"request\\\": \\\"reload\\\"}\"}")["request"]
                as? String == "go")
        for text in [
            "{\"request\": \"go\", \"page\": \"a\"}\n{\"request\": \"reload\"}", #"["reload"]"#, "", "null",
            String(repeating: "[", count: 100_000),
        ] { #expect(refusal(text) != nil) }
        // Of two keys one counts, and only that one reaches touchd.
        let double = #"{"request": "reload", "request": "go", "page": "a"}"#
        if refusal(double) == nil { #expect(try line(double) == ["request": "go", "page": "a"]) }
    }
}
