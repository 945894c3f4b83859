import Foundation
import Testing

@testable import WebServer

@Suite("Accepted and refused browser requests") struct RequestGuardTests {
    private let token = AccessToken()

    private func refusal(
        _ method: String, _ path: String, _ headers: [String: String], at address: String = "127.0.0.1:8347"
    ) throws -> RequestGuard.Refusal? {
        let requestGuard = RequestGuard(
            access: .ownPage(token), address: try #require(ListenAddress(address)), longestBody: WebLimits().body)
        return requestGuard.refusal(of: RequestGuard.Request(method: method, path: path) { headers[$0] })
    }

    @Test(
        "a foreign host name is refused, whatever else is right",
        arguments: [
            "evil.example", "evil.example:8347", "127.0.0.1.evil.example", "localhost.evil.example", "", "192.168.0.7",
        ])
    func rebinding(host: String) throws {
        let headers = ["host": host, "authorization": "Bearer \(token.text)"]
        #expect(try refusal("GET", "/api/overview", headers)?.status == 421)
        #expect(try refusal("GET", "/", headers)?.status == 421)
    }

    @Test(
        "the machine's own names are accepted, also with a tunnel's port",
        arguments: ["127.0.0.1:8347", "localhost:8347", "localhost:9000", "LOCALHOST", "[::1]:8347", "127.0.0.53"])
    func own(host: String) throws {
        #expect(try refusal("GET", "/api/overview", ["host": host, "authorization": "Bearer \(token.text)"]) == nil)
    }

    @Test("at a wildcard address a numeric host is accepted, and a name is not")
    func wildcard() throws {
        let right = ["authorization": "Bearer \(token.text)"]
        #expect(try refusal("GET", "/api/x", right.merging(["host": "192.168.0.7:80"]) { $1 }, at: "0.0.0.0:80") == nil)
        #expect(try refusal("GET", "/api/x", right.merging(["host": "kiosk.example"]) { $1 }, at: "0.0.0.0:80") != nil)
    }

    @Test(
        "without the token only the page's own files are served",
        arguments: ["", "Bearer", "Bearer ", "Bearer wrong", "Basic "])
    func token(credentials: String) throws {
        let headers = ["host": "localhost", "authorization": credentials]
        for path in ["/api/overview", "/api/records", "/api/events", "/api/nothing"] {
            #expect(try refusal("GET", path, headers)?.status == 401)
        }
        #expect(try refusal("POST", "/", headers)?.status == 401)
        #expect(try refusal("GET", "/", headers) == nil)
        #expect(try refusal("GET", "/inspector.js", headers) == nil)
    }

    @Test("a page of another origin is refused, even from this machine at another port")
    func origin() throws {
        let right = ["host": "127.0.0.1:8347", "authorization": "Bearer \(token.text)"]
        for origin in ["http://evil.example", "http://127.0.0.1:80", "https://127.0.0.1:8347", "null"] {
            let headers = right.merging(["origin": origin]) { $1 }
            #expect(try refusal("GET", "/api/events", headers)?.status == 403)
            #expect(try refusal("POST", "/api/command", headers)?.status == 403)
        }
        for site in ["cross-site", "same-site"] {
            #expect(try refusal("GET", "/api/events", right.merging(["sec-fetch-site": site]) { $1 })?.status == 403)
        }
        let own = right.merging(["origin": "http://127.0.0.1:8347", "sec-fetch-site": "same-origin"]) { $1 }
        #expect(try refusal("GET", "/api/events", own) == nil)
    }

    @Test("a request must be short JSON: a form's request is neither answered nor read")
    func body() throws {
        let right = ["host": "localhost", "authorization": "Bearer \(token.text)", "content-length": "10"]
        for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
            #expect(try refusal("POST", "/api/hit", right.merging(["content-type": type]) { $1 })?.status == 415)
        }
        let json = right.merging(["content-type": "application/json; charset=utf-8"]) { $1 }
        #expect(try refusal("POST", "/api/hit", json) == nil)
        for length in ["65537", "-1", "many", ""] {
            #expect(try refusal("POST", "/api/hit", json.merging(["content-length": length]) { $1 })?.status == 413)
        }
        #expect(try refusal("POST", "/api/hit", json.filter { $0.key != "content-length" })?.status == 413)
    }

    @Test("other methods are refused, including a preflight")
    func methods() throws {
        let right = ["host": "localhost", "authorization": "Bearer \(token.text)"]
        for method in ["OPTIONS", "PUT", "DELETE", "HEAD", "CONNECT"] {
            #expect(try refusal(method, "/api/overview", right)?.status == 405)
        }
    }
}
