import Foundation

@testable import TestSupport

/// A headless Chromium, controlled with its debugging protocol over two pipes (`--remote-debugging-pipe`).
///
/// Messages are JSON objects ended by a null; unrequested events are ignored.
final class Chromium {
    /// The browser of Debian's package `chromium`.
    private static let path = "/usr/bin/chromium"

    private let folder: TemporaryFolder
    private var errors: String { folder.url.appending(path: "errors").path }
    private let process = Process()
    private let input = Pipe(), output = Pipe()
    private var unread = Data()
    private var lastNumber = 0
    private var session: String?

    /// An error from the browser or from a script.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(width: Int, height: Int) throws {
        folder = try TemporaryFolder()
        process.executableURL = URL(filePath: "/bin/sh")
        // Chromium reads requests from descriptor 3 and writes responses to 4. Its other output is reported only if it ends.
        process.arguments = [
            "-c", "exec 3<&0 4>&1 </dev/null >/dev/null 2>\"$0\"; exec \"$@\"", errors,
            Self.path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-extensions",
            "--force-device-scale-factor=1", "--user-data-dir=\(folder.url.path)", "--window-size=\(width),\(height)",
            "about:blank",
        ]
        // Chromium is killed at the end, so its files must be where the test removes them.
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.url.path]) { _, new in new }
        process.standardInput = input
        process.standardOutput = output
        try process.run()

        // A new page, because the browser's first page may not exist yet.
        let page = try send("Target.createTarget", ["url": "about:blank"])["targetId"] as? String
        let attached = try send("Target.attachToTarget", ["targetId": page ?? "", "flatten": true])
        session = attached["sessionId"] as? String
        try send("Page.enable")
        try resize(width: width, height: height)
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Sets the size of the page in CSS pixels, optionally as on a phone.
    func resize(width: Int, height: Int, isPhone: Bool = false) throws {
        try send(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": isPhone])
    }

    /// Magnifies the page as two fingers do: the window keeps its size, and shows less of it.
    func magnify(_ factor: Double) throws { try send("Emulation.setPageScaleFactor", ["pageScaleFactor": factor]) }

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

    /// The number of sheets of paper that the page needs.
    func printedPages() throws -> Int {
        let answer = try send("Page.printToPDF", ["preferCSSPageSize": true])
        let file = (answer["data"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
        return String(decoding: file, as: UTF8.self).matches(of: /\/Type \/Page\b(?!s)/).count
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

    /// The text of an expression in the page.
    func text(_ expression: String) throws -> String? { try evaluate(expression) as? String }

    /// The text of an element.
    func text(of id: String) throws -> String { try text("document.getElementById('\(id)').textContent") ?? "" }

    /// Whether an expression is true in the page.
    func isTrue(_ expression: String) throws -> Bool { try evaluate(expression) as? Bool == true }

    /// Clicks elements without the mouse.
    func click(_ ids: String...) throws {
        for id in ids { try evaluate("document.getElementById('\(id)').click()") }
    }

    /// Chooses a view in the inspector's list.
    func choose(view: String) throws {
        try evaluate(
            """
            (() => {
                const view = document.getElementById("view");
                view.value = [...view.options].find((option) => option.text === "\(view)").value;
                view.dispatchEvent(new Event("change"));
            })()
            """)
    }

    @discardableResult
    private func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        lastNumber += 1
        var message: [String: Any] = ["id": lastNumber, "method": method, "params": parameters]
        if let session { message["sessionId"] = session }
        try input.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: message) + Data([0]))
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
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else {
                let said = try? String(contentsOfFile: errors, encoding: .utf8)
                throw Failure(description: "chromium has ended: \(said ?? "")")
            }
            unread += piece
        }
    }
}
