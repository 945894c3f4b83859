import Foundation
import Testing

@testable import TestSupport

/// The pages and programs that `touchd-web` refuses, over real sockets.
@Suite struct WebStrangers {
    private let touchd: RunningTouchd

    init() throws {
        touchd = try RunningTouchd(
            layout: """
                screen: {size: [1000, 1000]}
                views:
                  - {id: help, frame: [0, 0, 100, 100], control: button, on: {pressed: log}}

                """
        ).ready()
    }

    @Test("a foreign origin, a wrong Host and a sandboxed frame get no events, and the journal names each")
    func strangers() throws {
        let web = try RunningWeb(control: touchd.control, settings: "origins: [https://kiosk.example]\n")
        let start = ContinuousClock.now
        for origin in ["https://evil.example", "null", "https://kiosk.example.evil.example", "http://127.0.0.1:1"] {
            let refused = try web.webSocket(origin: origin)
            #expect(refused.head.hasPrefix("HTTP/1.1 403 "), "\(origin)")
            #expect(!refused.head.lowercased().contains("access-control-allow"))
            for path in ["/events", "/touchd.js"] {
                #expect(try web.status("GET \(path) HTTP/1.1", "Host: \(web.host)", "Origin: \(origin)") == 403)
            }
        }
        for host in ["evil.example", "192.168.0.7"] {
            #expect(try web.webSocket(host: host).head.hasPrefix("HTTP/1.1 421 "), "\(host)")
        }
        // A script or picture of another site: browsers send no origin with it.
        #expect(try web.status("GET /events HTTP/1.1", "Host: \(web.host)", "Sec-Fetch-Site: cross-site") == 403)
        #expect(try web.status("GET /events HTTP/1.1", "Host: \(web.host)") == 403)
        let log = try String(contentsOf: web.errors, encoding: .utf8)
        #expect(
            log.hasPrefix(
                "refused a page of the origin 'https://evil.example' at /events: the request comes from a page of another "
                    + "origin\n"))
        // A flood of refusals is not a flood of entries: ten, then one in 10 s.
        let entries = log.split(separator: "\n").count
        #expect(entries >= 10 && Double(entries) <= 10 + (ContinuousClock.now - start) / .seconds(10))
    }

    @Test("allowed origins and the server's own pages connect; other origins cannot read its files")
    func allowed() throws {
        let web = try RunningWeb(
            control: touchd.control, settings: "origins: [https://kiosk.example]\npages: FOLDER\n",
            files: ["index.html": "<p>Hello"])
        for origin in ["https://kiosk.example", web.origin] {
            let (client, head) = try web.webSocket(origin: origin)
            #expect(head.hasPrefix("HTTP/1.1 101 "))
            client.send(message: #"{"request": "layout", "id": 1}"#)
            #expect(client.message()?.hasPrefix(#"{"id": 1, "result": {"layout": "#) == true)
        }
        let client = try Connection(port: web.port)
        client.write("GET / HTTP/1.1\r\nHost: \(web.host)\r\nConnection: close\r\n\r\n")
        let page = client.read(until: "<p>Hello")
        #expect(page.contains("frame-ancestors 'self'") && page.contains("Cross-Origin-Resource-Policy: same-origin"))
        #expect(page.contains("Content-Type: text/html; charset=utf-8") && page.hasSuffix("<p>Hello"))
        #expect(try web.status("GET /web.yaml HTTP/1.1", "Host: \(web.host)") == 200)
        #expect(try web.status("GET /../errors HTTP/1.1", "Host: \(web.host)") == 404)
        #expect(try web.status("DELETE / HTTP/1.1", "Host: \(web.host)") == 405)
        #expect(try web.status("GET /favicon.ico HTTP/1.1", "Host: \(web.host)") == 200)
        #expect(try web.status("HEAD /events HTTP/1.1", "Host: \(web.host)") == 405)
        // The answer to HEAD has the length and no body (RFC 9110, 9.3.2).
        let head = try Connection(port: web.port)
        head.write("HEAD / HTTP/1.1\r\nHost: \(web.host)\r\n\r\n")
        #expect(head.read(until: "\r\n\r\n").contains("Content-Length: 8\r\n"))
        head.write("GET / HTTP/1.1\r\nHost: \(web.host)\r\n\r\n")
        #expect(head.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    }

    @Test("a video of any size is sent, and so are its parts; unread ones take no memory")
    func video() throws {
        let web = try RunningWeb(control: touchd.control, settings: "pages: FOLDER\n", files: ["film.mp4": ""])
        let size = 17 * 1024 * 1024
        #expect(truncate(web.folder.url.appending(path: "film.mp4").path, size) == 0)
        func get(_ header: String = "Connection: close") throws -> Connection {
            let client = try Connection(port: web.port)
            client.write("GET /film.mp4 HTTP/1.1\r\nHost: \(web.host)\r\n\(header)\r\n\r\n")
            return client
        }
        let whole = try get()
        let head = whole.read(until: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 ") && head.contains("Accept-Ranges: bytes\r\n"))
        #expect(whole.readToEnd().count == size)
        let part = try get("Range: bytes=17825790-\r\nConnection: close")
        #expect(part.read(until: "\r\n\r\n").contains("Content-Range: bytes 17825790-17825791/17825792\r\n"))
        #expect(part.readToEnd().count == 2)
        let outside = try get("Range: bytes=17825792-").read(until: "\r\n\r\n")
        #expect(outside.hasPrefix("HTTP/1.1 416 ") && outside.contains("Content-Range: bytes */17825792\r\n"))

        let before = try web.peakMemory()
        let clients = try (0..<16).map { _ in try get() }
        for client in clients { #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 ")) }
        #expect(try web.peakMemory() - before < 32 * 1024, "KiB")
    }

    @Test("a page that sends pings and does not read gets a pong for the newest one, not for each")
    func pings() throws {
        let web = try RunningWeb(control: touchd.control)
        let (client, _) = try web.webSocket()
        // The kernel's buffers have no room for all pongs: 4 MiB at the server's end (tcp(7), tcp_wmem), and one here that grows
        // only while it is read. If it were made smaller, segments would be dropped, and sent again after up to two minutes.
        let count = 120_000, padding = String(repeating: " ", count: 115)
        for number in 0..<count {
            client.write(Data([0x89, 0x80 | 125, 0, 0, 0, 0]) + Data("\(1_000_000_000 + number)\(padding)".utf8))
        }
        var pongs = 0, pong: String?
        repeat {
            pong = client.message()
            pongs += 1
        } while pong != nil && pong?.hasPrefix("\(1_000_000_000 + count - 1)") != true
        #expect(pong != nil && pongs < count)
    }

    @Test("with users: only browsers of these users get pages and events, and the journal names another user")
    func users() throws {
        let me = try #require(getpwuid(getuid())).pointee, name = String(cString: me.pw_name)
        let mine = try RunningWeb(control: touchd.control, settings: "users: [\(name)]\n")
        #expect(try mine.webSocket().head.hasPrefix("HTTP/1.1 101 "))
        #expect(try mine.status("GET /touchd.js HTTP/1.1", "Host: \(mine.host)") == 200)
        let other = try RunningWeb(control: touchd.control, settings: "users: [nobody]\n")
        #expect(try other.webSocket().head.hasPrefix("HTTP/1.1 403 "))
        #expect(try other.status("GET /touchd.js HTTP/1.1", "Host: \(other.host)") == 403)
        let log = try String(contentsOf: other.errors, encoding: .utf8)
        #expect(log.hasSuffix(" at /touchd.js: user \(getuid()) of this machine is not in 'users'\n"))
    }

    @Test("with a token only pages that send it connect; in an address it has no effect")
    func token() throws {
        let folder = try TemporaryFolder(), token = "abcdefghijklmnopqrstuvwxyz"
        let file = try folder.file("token", token)
        #expect(chmod(file.path, 0o640) == 0)
        let web = try RunningWeb(control: touchd.control, settings: "token-file: \(file.path)\n")
        #expect(try web.webSocket().head.hasPrefix("HTTP/1.1 401 "))
        #expect(try web.webSocket(path: "/events?token=\(token)").head.hasPrefix("HTTP/1.1 401 "))
        #expect(try web.webSocket("Sec-WebSocket-Protocol: touchd, touchd.token.wrong").head.hasPrefix("HTTP/1.1 401 "))
        let right = try web.webSocket("Sec-WebSocket-Protocol: touchd, touchd.token.\(token)")
        #expect(right.head.hasPrefix("HTTP/1.1 101 ") && right.head.contains("Sec-WebSocket-Protocol: touchd\r\n"))
        #expect(!right.head.contains(token))
        // A right token does not make a foreign origin right.
        #expect(
            try web.webSocket(
                origin: "https://evil.example", "Sec-WebSocket-Protocol: touchd, touchd.token.\(token)"
            ).head.hasPrefix("HTTP/1.1 403 "))
    }

    @Test("a page can send a layout's commands, and neither reload nor ignore; nonsense ends nothing")
    func requests() throws {
        let web = try RunningWeb(control: touchd.control)
        let (client, _) = try web.webSocket()
        for name in ["reload", "ignore"] {
            client.send(message: "{\"request\": \"\(name)\", \"id\": 1}")
            #expect(client.message()?.contains(#""code": "unknown-request""#) == true, "\(name)")
        }
        client.send(message: #"{"request": "hide", "view": "help", "id": 2}"#)
        #expect(client.message() == #"{"id": 2, "result": {}}"#)
        client.send(message: "\u{0} rubbish\n{}")
        #expect(client.message()?.contains(#""code": "not-a-request""#) == true)
        client.send(message: #"{"request": "layout", "id": 3}"#)
        #expect(client.message()?.contains(#""hidden": true"#) == true)
        // Too long for a message: RFC 6455, 1009.
        client.send(message: String(repeating: " ", count: 1_100_000))
        #expect(client.message() == "1009" && client.message() == nil)
        // A frame without a mask: RFC 6455, 5.1.
        let (unmasked, _) = try web.webSocket()
        unmasked.write(Data([0x81, 2]) + Data("{}".utf8))
        #expect(unmasked.message() == "1002" && unmasked.message() == nil)
    }

    @Test(
        "reserved bits close a WebSocket with status 1002, and a text that is not UTF-8 with 1007",
        arguments: [
            ([0xC1, 0x82, 0, 0, 0, 0] + Array("{}".utf8), "1002"), ([0x91, 0x80, 0, 0, 0, 0], "1002"),
            ([0xA1, 0x80, 0, 0, 0, 0], "1002"), ([0x81, 0x82, 0, 0, 0, 0, 0xC3, 0x28], "1007"),
        ] as [([UInt8], String)])
    func frames(bytes: [UInt8], status: String) throws {
        let web = try RunningWeb(control: touchd.control)
        let (client, _) = try web.webSocket()
        client.write(Data(bytes))
        #expect(client.message() == status && client.message() == nil)
    }

    @Test("a WebSocket of another version, or a request for none, gets status 426 and the version that is supported")
    func version() throws {
        let web = try RunningWeb(control: touchd.control)
        let (_, head) = try web.webSocket(version: 12)
        #expect(head.hasPrefix("HTTP/1.1 426 ") && head.contains("Sec-WebSocket-Version: 13\r\n"))
        #expect(head.contains("Upgrade: websocket\r\n"))
        #expect(try web.status("GET /events HTTP/1.1", "Host: \(web.host)", "Origin: \(web.origin)") == 426)
    }

    @Test("a page that sends without end is slowed down, and another page is answered meanwhile")
    func flood() throws {
        let web = try RunningWeb(control: touchd.control)
        let (flooding, _) = try web.webSocket(), (other, _) = try web.webSocket()
        // More than the saved budget of 256 requests.
        for number in 0..<400 { flooding.send(message: "{\"request\": \"layout\", \"id\": \(number)}") }
        other.send(message: #"{"request": "layout", "id": 1}"#)
        #expect(other.message()?.hasPrefix(#"{"id": 1,"#) == true)
        // None is lost.
        for number in 0..<400 { #expect(flooding.message()?.hasPrefix("{\"id\": \(number),") == true) }
    }

    @Test("16 pages connect and a further one is refused, so that the control socket has room for others")
    func crowd() throws {
        let web = try RunningWeb(control: touchd.control)
        let pages = try (0..<16).map { _ in try web.webSocket() }
        #expect(pages.allSatisfy { $0.head.hasPrefix("HTTP/1.1 101 ") })
        #expect(try web.webSocket().head.hasPrefix("HTTP/1.1 503 "))
        #expect(try touchd.command("status").status == 0)
    }

    @Test("when touchd ends, a page's connection closes with the status to try again")
    func restart() throws {
        let web = try RunningWeb(control: touchd.control)
        let (client, _) = try web.webSocket()
        client.send(message: #"{"request": "layout", "id": 1}"#)
        _ = client.message()
        touchd.signal(SIGTERM)
        #expect(client.message() == "1012")
        _ = touchd.end()
        // Nothing listens there now.
        #expect(try web.webSocket().client.message() == "1013")
    }
}
