import Foundation
import Testing

/// `touchd inspect` over real sockets: what a page is told, and who is not told anything.
@Suite struct InspectCommand {
    private static let layout = "config/examples/ticket-machine.yaml"
    private static let recording = "config/examples/recordings/ticket-machine.evemu"

    private static let wall = """
        screen: {size: [1920, 1080]}
        views:
          - id: wall
            frame: [0, 0, 1920, 1080]
            views: [{id: picture, frame: [0, 0, 1000, 1080], on: {began: log}}]

        """

    private func recorded() throws -> RunningInspector {
        try RunningInspector("--layout", Self.layout, "--replay", Self.recording)
    }

    @Test(
        "what would take a touch is answered as `touchd hit --json` answers it, at every tenth of the screen of two pages"
    )
    func whatIf() throws {
        let inspector = try recorded()
        for page in ["start", "pin"] {
            for step in 1..<10 {
                let (x, y) = (108 * step, 192 * step)
                let answer = try inspector.json("/api/hit", #"{"x": \#(x), "y": \#(y), "page": "\#(page)"}"#)
                let outcome = try TouchdProgram.run(
                    "hit", "--json", "--layout", Self.layout, "--page", page, "\(x)", "\(y)")
                let expected = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
                #expect(answer == expected as? NSDictionary)
            }
        }
    }

    @Test(
        "a recording's moments are those that a run of it delivers: touches, views, handlers and pages, in this order")
    func records() throws {
        let inspector = try recorded()
        let answer = try inspector.ask("/api/records")
        let records = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [[String: Any]])
        let told = records.flatMap { record in
            (record["touches"] as? [[String: Any]] ?? []).map { touch in
                [touch["touch"], touch["phase"], touch["view"]].map { $0.map { "\($0)" } ?? "" }
                    + (touch["handlers"] as? [String] ?? [])
            }
        }
        let run = try TouchdProgram.run(
            "run", "--layout", Self.layout, "--replay", Self.recording, "--speed", "max", "--output", "json")
        let delivered = try run.lines.map { line in
            let touch = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return [touch["touch"], touch["phase"], touch["view"]].map { $0.map { "\($0)" } ?? "" }
                + (touch["handlers"] as? [String] ?? [])
        }
        #expect(!told.isEmpty && told == delivered)
        let pages = records.compactMap { $0["pages"] as? [String] }
        #expect(pages.first == ["start"] && pages.count > 1)
        #expect(records.contains { !($0["changes"] as? [Any] ?? []).isEmpty })
    }

    @Test(
        "a view that is moved, hidden or disabled in a trial changes the answer, and its YAML put into the file the same"
    )
    func trial() throws {
        let folder = try TemporaryFolder()
        let text = """
            screen: {size: [100, 100]}
            views:
              - id: back
                frame: [0, 0, 100, 100]
              - id: front
                frame: [10, 10, 20, 20]
            """
        let file = try folder.file("kiosk.yaml", text)
        let inspector = try RunningInspector(
            "--layout", file.path, "--replay", "config/recordings/quanta-optical.evemu")
        let trial = #"{"changes": [{"view": 1, "frame": [60, 60, 20, 20]}]}"#
        func view(_ x: Int, _ y: Int, _ trial: String?) throws -> String? {
            let trial = trial.map { #", "trial": \#($0)"# } ?? ""
            return try inspector.json("/api/hit", #"{"x": \#(x), "y": \#(y)\#(trial)}"#)["view"] as? String
        }
        #expect(try view(15, 15, nil) == "front" && view(70, 70, nil) == "back")
        #expect(try view(15, 15, trial) == "back" && view(70, 70, trial) == "front")
        #expect(try view(15, 15, #"{"changes": [{"view": 1, "hidden": true}]}"#) == "back")
        #expect(try view(15, 15, #"{"changes": [{"view": 1, "enabled": false}]}"#) == "back")

        let yaml = try #require(try inspector.json("/api/trial", trial)["yaml"] as? String)
        #expect(yaml == "# \(file.path):5:5\n- id: front\n  frame: [60, 60, 20, 20]\n")
        let frame = try #require(yaml.split(separator: "\n").last.map { $0.drop { $0 == " " } })
        let changed = try folder.file("changed.yaml", text.replacing("frame: [10, 10, 20, 20]", with: frame))
        let outcome = try TouchdProgram.run("hit", "--layout", changed.path, "70", "70")
        #expect(outcome.output.hasPrefix("view 'front'"))
    }

    @Test(
        "a running touchd is looked at over its socket: its devices, what is changed of its views, and touches as they come"
    )
    func live() throws {
        let touchd = try RunningTouchd(layout: Self.wall)
        _ = touchd.notifications(until: "touch in the last minute")
        let inspector = try RunningInspector("--socket", touchd.control)
        let overview = try inspector.json("/api/overview")
        #expect(overview["mode"] as? String == "live")
        let device = try #require((overview["devices"] as? [[String: Any]])?.first)
        #expect(device["name"] as? String == "QUANTA OpticalTouchScreen")
        #expect(
            (device["x"] as? [String: Int])?["maximum"] == 1024 || (device["x"] as? [String: Int])?["maximum"] != nil)
        #expect((overview["status"] as? [String: Any])?["version"] != nil)

        #expect(try inspector.ask("/api/command", #"{"command": "hide", "view": "picture"}"#).status == 200)
        let changed = try inspector.json("/api/overview")["views"] as? [[String: Any]]
        #expect(changed?.first?["view"] as? String == "picture" && changed?.first?["hidden"] as? Bool == true)
        #expect(try inspector.json("/api/hit", #"{"x": 600, "y": 500}"#)["view"] as? String == "wall")

        // A finger rests on the picture; a page that opens now is told of it, though it does not move.
        var isTold = false
        let present = try inspector.events(until: #""whole":true"#) {
            isTold = try inspector.ask("/api/present", "{}").status == 200
        }
        #expect(isTold)
        #expect(present.contains(#""phase":"stationary""#) && present.contains(#""raw":["#))
        // It was there before the picture was hidden, and stays the picture's.
        #expect(present.contains(#""responders":["view 'picture'","view 'wall'","window","application"]"#))

        // The finger that is down is cancelled by a break, which those who look on are told with all that belongs to it.
        while try !touchd.command("status").output.contains("1 subscribed") {}
        var isIgnoring = false
        let told = try inspector.events(until: #""phase":"cancelled""#) {
            isIgnoring = try touchd.command("ignore", "60").status == 0
        }
        #expect(isIgnoring)
        #expect(told.contains(#""touch":1"#))
    }

    @Test("in a terminal the essentials are shown, of a finger that was down before too, until touchd ends")
    func terminal() throws {
        let touchd = try RunningTouchd(layout: Self.wall)
        _ = touchd.notifications(until: "touch in the last minute")
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: TouchdProgram.path)
        process.arguments = ["inspect", "--terminal", "--socket", touchd.control]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.contains("responders") {
            let piece = output.fileHandleForReading.availableData
            try #require(!piece.isEmpty)
            text += String(decoding: piece, as: UTF8.self)
        }
        #expect(text.contains("touch 1 stationary on picture at (512.7, 319.7), raw 513, 320"))
        #expect(text.contains("responders  view 'picture' > view 'wall' > window > application"))
        touchd.signal(SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationStatus == 69)
    }

    @Test("a touchd that is not there is waited for, and the page told what to do")
    func nobodyThere() throws {
        let inspector = try RunningInspector("--socket", "/tmp/nowhere/control")
        let problems = try inspector.json("/api/overview")["problems"] as? [String]
        #expect(problems?.first?.contains("no touchd listens at /tmp/nowhere/control; start it with") == true)
    }

    @Test(
        "neither a foreign page, nor a foreign name, nor anybody without the token is told anything or has anything done"
    )
    func strangers() throws {
        let inspector = try recorded()
        let (host, key) = ("127.0.0.1:\(inspector.port)", "Authorization: Bearer \(inspector.token)")
        func status(_ lines: String...) throws -> Int {
            try inspector.send((lines + ["Connection: close", "", ""]).joined(separator: "\r\n")).status
        }
        // The token is missing or wrong.
        #expect(try status("GET /api/records HTTP/1.1", "Host: \(host)") == 401)
        #expect(
            try status("GET /api/records HTTP/1.1", "Host: \(host)", "Authorization: Bearer \(inspector.token)0") == 401
        )
        #expect(try status("GET /api/records?token=\(inspector.token) HTTP/1.1", "Host: \(host)") == 401)
        // DNS rebinding: a name of somebody else's leads here.
        #expect(try status("GET /api/records HTTP/1.1", "Host: evil.example:\(inspector.port)", key) == 421)
        #expect(try status("GET /api/records HTTP/1.1", key) == 421)
        // A page of another origin asks, or has a form sent.
        let evil = "Origin: http://evil.example"
        #expect(try status("GET /api/events HTTP/1.1", "Host: \(host)", key, evil) == 403)
        #expect(
            try status("OPTIONS /api/hit HTTP/1.1", "Host: \(host)", evil, "Access-Control-Request-Method: POST") == 405
        )
        #expect(
            try status(
                "POST /api/hit HTTP/1.1", "Host: \(host)", evil, "Content-Type: text/plain", "Content-Length: 0") == 403
        )
        #expect(
            try status(
                "POST /api/hit HTTP/1.1", "Host: \(host)", key, "Content-Type: text/plain", "Content-Length: 0") == 415)
        #expect(try inspector.ask("/api/hit", String(repeating: " ", count: 100_000)).status == 413)
        // A WebSocket, which no browser keeps to one origin.
        #expect(
            try status(
                "GET /api/events HTTP/1.1", "Host: \(host)", evil, "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==") == 403)
    }

    @Test("the page loads nothing from elsewhere, stands in no other page, and no answer lets another origin read it")
    func headers() throws {
        let inspector = try recorded()
        let page = try inspector.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(page.status == 200 && page.text.hasPrefix("<!doctype html>"))
        for answer in [page, try inspector.ask("/api/overview"), try inspector.ask("/api/nothing")] {
            #expect(answer.headers.contains("Content-Security-Policy: default-src 'self';"))
            #expect(answer.headers.contains("frame-ancestors 'none'"))
            #expect(answer.headers.contains("X-Content-Type-Options: nosniff"))
            #expect(!answer.headers.lowercased().contains("access-control-allow"))
        }
        #expect(!page.text.contains(inspector.token))
    }

    @Test("what is not a question is refused with a reason, and the inspector goes on")
    func nonsense() throws {
        let inspector = try recorded()
        for body in ["", "{}", "[]", "null", #"{"x": "a", "y": 1}"#, #"{"x": 1e999, "y": 0}"#, "{\"x\": 1"] {
            #expect(try inspector.ask("/api/hit", body).status == 400)
        }
        #expect(try inspector.ask("/api/hit", #"{"x": 1, "y": 1, "screen": "none"}"#).status == 409)
        #expect(try inspector.ask("/api/command", #"{"command": "hide", "view": "buy"}"#).status == 409)
        _ = try inspector.send("\u{0}\u{1} rubbish\r\n\r\n")
        #expect(try inspector.ask("/api/overview").status == 200)
        #expect(inspector.end() == 0)
    }

    @Test("other machines are let in only with a token that was chosen, and what cannot be listened at is said")
    func listening() throws {
        let open = try TouchdProgram.run("inspect", "--listen", "0.0.0.0:0")
        #expect(open.status == 64 && open.errors.contains("lets other machines in"))
        let inspector = try recorded()
        let taken = try TouchdProgram.run(
            "inspect", "--layout", Self.layout, "--replay", Self.recording, "--listen", "\(inspector.port)")
        #expect(taken.status == 71 && taken.errors.contains("cannot listen at 127.0.0.1:\(inspector.port)"))
        #expect(taken.errors.contains("choose another address with --listen"))
        let nonsense = try TouchdProgram.run("inspect", "--listen", "localhost:80")
        #expect(nonsense.status == 64 && nonsense.errors.contains("localhost:80 is no address to listen at"))
    }

    @Test("at an address of every network the token of the file that was named is asked for, and no other")
    func tokenFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("token", "abcdefghijklmnopqrstuvwxyz")
        #expect(chmod(file.path, 0o644) == 0)
        let open = try TouchdProgram.run("inspect", "--listen", "0.0.0.0:0", "--token-file", file.path)
        #expect(open.status == 71 && open.errors.contains("everybody may read the token"))
        #expect(chmod(file.path, 0o600) == 0)
        let inspector = try RunningInspector(
            "--layout", Self.layout, "--replay", Self.recording, "--token-file", file.path, listen: "0.0.0.0:0")
        #expect(inspector.token == "abcdefghijklmnopqrstuvwxyz")
        #expect(try inspector.ask("/api/overview").status == 200)
        let wrong =
            "GET /api/overview HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer abcdefghijklmnopqrstuvwxyy\r\n"
        #expect(try inspector.send(wrong + "Connection: close\r\n\r\n").status == 401)
    }

    @Test(
        "at a local socket it is asked as at a port, the socket of one that was killed is replaced, and it removes its own"
    )
    func localSocket() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "inspect").path
        func start() throws -> RunningInspector {
            try RunningInspector("--layout", Self.layout, "--replay", Self.recording, listen: "unix:\(path)")
        }
        #expect(try start().end(SIGKILL) == -1)
        let inspector = try start()
        #expect(inspector.announcement.contains("ssh -L 8347:\(path) KIOSK"))
        #expect(try inspector.send("GET / HTTP/1.1\r\nHost: localhost:8347\r\nConnection: close\r\n\r\n").status == 200)
        #expect(try inspector.ask("/api/overview").status == 200)
        let taken = try TouchdProgram.run(
            "inspect", "--layout", Self.layout, "--replay", Self.recording, "--listen", "unix:\(path)")
        #expect(taken.status == 71 && taken.errors.contains("cannot listen at unix:\(path)"))
        #expect(inspector.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        // A file that is no socket is somebody's.
        let file = try folder.file("notes", "mine")
        let refused = try TouchdProgram.run(
            "inspect", "--layout", Self.layout, "--replay", Self.recording, "--listen", "unix:\(file.path)")
        #expect(refused.status == 71 && FileManager.default.fileExists(atPath: file.path))
    }

    @Test("it is a program of its own, of whose HTTP and page the daemon has nothing")
    func program() throws {
        let inspector = try recorded()
        let program = try FileManager.default.destinationOfSymbolicLink(
            atPath: inspector.systemFolder.appending(path: "exe").path)
        #expect(URL(filePath: program).lastPathComponent == "touchd-inspect")
        let folder = URL(filePath: TouchdProgram.path).deletingLastPathComponent()
        func holds(_ name: String, _ text: String) throws -> Bool {
            try Data(contentsOf: folder.appending(path: name), options: .alwaysMapped).range(of: Data(text.utf8)) != nil
        }
        // The library's name, and that of the page's files.
        for text in ["FlyingFox", "PackageResources"] {
            #expect(try holds("touchd-inspect", text) && !holds("touchd", text))
        }
    }

    @Test("a touchd whose inspector is missing says where it looked, and what to do")
    func missingProgram() throws {
        let folder = try TemporaryFolder()
        let lonely = folder.url.appending(path: "touchd")
        try FileManager.default.copyItem(atPath: TouchdProgram.path, toPath: lonely.path)
        let outcome = try TouchdProgram.run(["inspect"], program: lonely.path)
        #expect(outcome.status == 69 && outcome.errors.contains("\(folder.url.path)/touchd-inspect"))
        #expect(outcome.errors.contains("install the package again"))
    }
}
