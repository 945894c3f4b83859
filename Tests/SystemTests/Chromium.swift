import Foundation

/// A headless Chromium, controlled with its debugging protocol over two pipes (`--remote-debugging-pipe`).
///
/// Messages are JSON objects ended by a null; unrequested events are ignored.
final class Chromium {
    /// The browser of Debian's package `chromium`; nil if it is not installed.
    private static let path = "/usr/bin/chromium"

    private let folder: URL
    private var errors: String { folder.appending(path: "errors").path }
    private var process: pid_t = 0
    private let input: FileHandle, output: FileHandle
    private var unread = Data()
    private var lastNumber = 0
    private var session: String?

    /// An error from the browser or from a script.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(width: Int, height: Int) throws {
        // Short, because Chromium creates a local socket in it.
        folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var toBrowser: [Int32] = [0, 0], fromBrowser: [Int32] = [0, 0]
        guard pipe(&toBrowser) == 0, pipe(&fromBrowser) == 0 else { throw Failure(description: "no pipe") }
        for descriptor in toBrowser + fromBrowser { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        input = FileHandle(fileDescriptor: toBrowser[1], closeOnDealloc: true)
        output = FileHandle(fileDescriptor: fromBrowser[0], closeOnDealloc: true)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Chromium reads requests from descriptor 3 and writes responses to 4; neither number may be in use here.
        let ends = [toBrowser[0], fromBrowser[1]].map { fcntl($0, F_DUPFD_CLOEXEC, 5) }
        defer { for end in ends { close(end) } }
        for (end, number) in zip(ends, [Int32(3), 4]) { posix_spawn_file_actions_adddup2(&actions, end, number) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        // Its output is reported only if it ends.
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let arguments = [
            Self.path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-extensions",
            "--force-device-scale-factor=1", "--user-data-dir=\(folder.path)", "--window-size=\(width),\(height)",
            "about:blank",
        ]
        var words = arguments.map { strdup($0) } + [nil]
        // Chromium is killed at the end, so its files must be where the test removes them.
        let environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { _, new in new }
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        let failure = posix_spawn(&process, arguments[0], &actions, nil, &words, &variables)
        close(toBrowser[0])
        close(fromBrowser[1])
        guard failure == 0 else { throw Failure(description: "chromium: \(String(cString: strerror(failure)))") }

        // A new page, because the browser's first page may not exist yet.
        let page = try send("Target.createTarget", ["url": "about:blank"])["targetId"] as? String
        let attached = try send("Target.attachToTarget", ["targetId": page ?? "", "flatten": true])
        session = attached["sessionId"] as? String
        try send("Page.enable")
        try resize(width: width, height: height)
    }

    deinit {
        if process > 0 {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Sets the size of the page in CSS pixels, optionally as on a phone.
    func resize(width: Int, height: Int, isPhone: Bool = false) throws {
        try send(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": isPhone])
    }

    /// Opens a page and waits until it is ready.
    func open(_ link: String, until isReady: String = "document.body?.dataset.ready === 'true'") throws {
        try send("Page.navigate", ["url": link])
        try wait(isReady)
    }

    /// The value of an expression in the page; a promise is awaited.
    @discardableResult
    func evaluate(_ expression: String) throws -> Any? {
        let answer = try send(
            "Runtime.evaluate", ["expression": expression, "awaitPromise": true, "returnByValue": true])
        if let details = answer["exceptionDetails"] as? [String: Any] {
            let thrown = (details["exception"] as? [String: Any])?["description"] ?? details["text"]
            throw Failure(description: "\(thrown ?? details): \(expression)")
        }
        return (answer["result"] as? [String: Any])?["value"]
    }

    /// Waits until an expression is true in the page, up to a timeout.
    func wait(_ condition: String) throws {
        let isSo = try evaluate(
            """
            new Promise((resolve) => {
                const limit = performance.now() + 600000;
                const look = () => (\(condition)) ? resolve(true)
                    : performance.now() > limit ? resolve(false) : setTimeout(look, 10);
                look();
            })
            """)
        guard isSo as? Bool == true else { throw Failure(description: "never true: \(condition)") }
    }

    /// The page's accessibility nodes with their roles and names, as for screen readers.
    func accessibilityNodes() throws -> [(role: String, name: String)] {
        let nodes = try send("Accessibility.getFullAXTree")["nodes"] as? [[String: Any]] ?? []
        func value(_ node: [String: Any], _ key: String) -> String {
            (node[key] as? [String: Any])?["value"] as? String ?? ""
        }
        return nodes.filter { $0["ignored"] as? Bool != true }.map { (value($0, "role"), value($0, "name")) }
    }

    /// Presses a key on the keyboard.
    func press(_ key: String, code: Int, text: String? = nil) throws {
        var event: [String: Any] = ["type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code]
        if let text { event["text"] = text }
        try send("Input.dispatchKeyEvent", event)
        event["type"] = "keyUp"
        event["text"] = nil
        try send("Input.dispatchKeyEvent", event)
    }

    /// Clicks at a position of the page, in CSS pixels.
    func click(_ x: Double, _ y: Double) throws { try drag(from: (x, y), to: []) }

    /// Presses the mouse at a position of the page, moves it through others and releases it at the last.
    func drag(from place: (x: Double, y: Double), to places: [(x: Double, y: Double)]) throws {
        func send(_ type: String, _ place: (x: Double, y: Double)) throws {
            try self.send(
                "Input.dispatchMouseEvent",
                [
                    "type": type, "x": place.x, "y": place.y, "button": "left",
                    "buttons": type == "mouseReleased" ? 0 : 1,
                    "clickCount": 1,
                ])
        }
        try send("mousePressed", place)
        for place in places { try send("mouseMoved", place) }
        try send("mouseReleased", places.last ?? place)
    }

    /// Writes a picture of the whole page into the folder TOUCHD_INSPECTOR_SHOTS, if it is set, for review.
    func picture(_ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["TOUCHD_INSPECTOR_SHOTS"] else { return }
        let answer = try send("Page.captureScreenshot", ["format": "png", "captureBeyondViewport": true])
        guard let data = (answer["data"] as? String).flatMap({ Data(base64Encoded: $0) }) else { return }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try data.write(to: URL(filePath: folder).appending(path: "\(name).png"))
    }

    @discardableResult
    private func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        lastNumber += 1
        var message: [String: Any] = ["id": lastNumber, "method": method, "params": parameters]
        if let session { message["sessionId"] = session }
        try input.write(contentsOf: JSONSerialization.data(withJSONObject: message) + Data([0]))
        while true {
            let answer = try read()
            guard answer["id"] as? Int == lastNumber else { continue }
            if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
            return answer["result"] as? [String: Any] ?? [:]
        }
    }

    private func read() throws -> [String: Any] {
        while true {
            if let end = unread.firstIndex(of: 0) {
                let message = unread[..<end]
                defer { unread = Data(unread[(end + 1)...]) }
                return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
            }
            let piece = output.availableData
            guard !piece.isEmpty else {
                let said = try? String(contentsOfFile: errors, encoding: .utf8)
                throw Failure(description: "chromium has ended: \(said ?? "")")
            }
            unread += piece
        }
    }
}
