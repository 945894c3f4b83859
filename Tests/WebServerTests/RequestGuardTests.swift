import Foundation
import Testing

@testable import WebServer

@Suite("Accepted and refused browser requests") struct RequestGuardTests {
    private let token = AccessToken()

    /// The status of the answer to a request with the token and this machine's name, unless other headers say otherwise;
    /// nil if it is accepted.
    private func status(
        _ method: String, _ path: String, _ headers: [String: String] = [:], at address: String = "127.0.0.1:8347"
    ) throws -> Int? {
        let headers = ["host": "127.0.0.1:8347", "authorization": "Bearer \(token.text)"].merging(headers) { $1 }
        let requestGuard = RequestGuard(
            access: .ownPage(token), address: try #require(ListenAddress(address)), longestBody: WebLimits().body)
        return requestGuard.refusal(of: RequestGuard.Request(method: method, path: path) { headers[$0] })?.status
    }

    @Test(
        "a foreign host name is refused, whatever else is right",
        arguments: [
            "evil.example", "evil.example:8347", "127.0.0.1.evil.example", "localhost.evil.example", "", "192.168.0.7",
        ])
    func rebinding(host: String) throws {
        #expect(try status("GET", "/api/overview", ["host": host]) == 421)
        #expect(try status("GET", "/", ["host": host]) == 421)
    }

    @Test(
        "a Host header that is not one host with an optional port is refused",
        arguments: [
            "[::1].evil.example", "127.0.0.1:8347@evil.example", "127.0.0.1:evil.example", "127.0.0.1, evil.example",
            "127.0.0.1, 127.0.0.1", "[::1", "::1",
        ])
    func malformed(host: String) throws {
        #expect(try status("GET", "/api/overview", ["host": host]) == 400)
        #expect(try status("GET", "/", ["host": host]) == 400)
    }

    @Test(
        "the machine's own names are accepted, also with a tunnel's port",
        arguments: ["127.0.0.1:8347", "localhost:8347", "localhost:9000", "LOCALHOST", "[::1]:8347", "127.0.0.53"])
    func own(host: String) throws { #expect(try status("GET", "/api/overview", ["host": host]) == nil) }

    @Test("at a wildcard address a numeric host is accepted, and a name is not")
    func wildcard() throws {
        #expect(try status("GET", "/api/x", ["host": "192.168.0.7:80"], at: "0.0.0.0:80") == nil)
        #expect(try status("GET", "/api/x", ["host": "kiosk.example"], at: "0.0.0.0:80") != nil)
    }

    @Test(
        "without the token only the page's own files are served",
        arguments: ["", "Bearer", "Bearer ", "Bearer wrong", "Basic "])
    func token(credentials: String) throws {
        for (method, path) in [
            ("GET", "/api/overview"), ("GET", "/api/events"), ("GET", "/api/nothing"), ("POST", "/"),
        ] {
            #expect(try status(method, path, ["authorization": credentials]) == 401)
        }
        for path in ["/", "/inspector.js"] { #expect(try status("GET", path, ["authorization": credentials]) == nil) }
    }

    @Test("a page of another origin is refused, even from this machine at another port")
    func origin() throws {
        for (header, values) in [
            "origin": ["http://evil.example", "http://127.0.0.1:80", "https://127.0.0.1:8347", "null"],
            "sec-fetch-site": ["cross-site", "same-site"],
        ] {
            for value in values {
                #expect(try status("GET", "/api/events", [header: value]) == 403)
                #expect(try status("POST", "/api/command", [header: value]) == 403)
            }
        }
        let own = ["origin": "http://127.0.0.1:8347", "sec-fetch-site": "same-origin"]
        #expect(try status("GET", "/api/events", own) == nil)
    }

    @Test(
        "a request must be short JSON: a form's request is neither answered nor read",
        arguments: [
            ("text/plain", "10", 415), ("application/x-www-form-urlencoded", "10", 415),
            ("multipart/form-data", "10", 415), ("", "10", 415), ("application/json; charset=utf-8", "10", nil),
            ("application/json", "65537", 413), ("application/json", "-1", 413), ("application/json", "many", 413),
            ("application/json", "", 413), ("application/json", nil, 413),
        ] as [(String, String?, Int?)])
    func body(type: String, length: String?, expected: Int?) throws {
        var headers = ["content-type": type]
        headers["content-length"] = length
        #expect(try status("POST", "/api/hit", headers) == expected)
    }

    @Test(
        "other methods are refused, including a preflight and HEAD for data",
        arguments: ["OPTIONS", "PUT", "DELETE", "HEAD", "CONNECT"])
    func methods(method: String) throws { #expect(try status(method, "/api/overview") == 405) }
}
