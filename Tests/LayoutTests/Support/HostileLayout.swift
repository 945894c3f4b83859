import Testing

/// Layouts written to make the reader slow, large or crash; each can be created in any size.
nonisolated struct HostileLayout: Sendable, CustomTestStringConvertible {
    /// The repeated part.
    let name: String
    /// A large size that is still quickly created a hundred times larger.
    let size: Int
    /// The layout of a size.
    let text: @Sendable (Int) -> String

    var testDescription: String { name }

    private static let screen = "screen: {size: [1920, 1080]}\n"

    private static func lines(_ count: Int, _ line: (Int) -> String) -> String {
        var text = ""
        for number in 0..<count { text += line(number) + "\n" }
        return text
    }

    private static func list(_ count: Int, _ item: (Int) -> String) -> String {
        (0..<count).map(item).joined(separator: ", ")
    }

    private static func frame(_ number: Int) -> String { "[\(number % 1900), \(number / 1900), 1, 1]" }

    static let all: [HostileLayout] = [
        HostileLayout(name: "a chain of handlers", size: 100) { size in
            screen + "on: {began: h0}\nhandlers:\n"
                + lines(size) { "  h\($0): [\($0 + 1 < size ? "h\($0 + 1)" : "log")]" }
        },
        HostileLayout(name: "handlers that run two others", size: 10) { size in
            screen + "on: {began: h0}\nhandlers:\n" + lines(size) { "  h\($0): [h\($0 + 1), h\($0 + 1)]" }
                + "  h\(size): [log]\n"
        },
        HostileLayout(name: "handlers that all run the first", size: 60) { size in
            screen + "on: {began: h0}\nhandlers:\n" + lines(size) { "  h\($0): [h0, h\(($0 + 1) % size)]" }
        },
        HostileLayout(name: "a chain of redirects", size: 60) { size in
            screen + "views:\n"
                + lines(size) {
                    "  - {id: v\($0), frame: \(frame($0))\($0 + 1 < size ? ", redirect: v\($0 + 1)" : "")}"
                }
        },
        HostileLayout(name: "gestures that wait for each other", size: 60) { size in
            screen + "views:\n"
                + lines(size) {
                    let wait = $0 + 1 < size ? ", after-failure-of: [g\($0 + 1)]" : ""
                    return "  - {id: v\($0), frame: \(frame($0)), gestures: [{tap: {}, id: g\($0), run: log\(wait)}]}"
                }
        },
        HostileLayout(name: "gestures on one view", size: 20) { size in
            screen + "views:\n  - id: a\n    frame: [0, 0, 9, 9]\n    gestures:\n"
                + lines(size) { _ in "      - {tap: {}, run: log}" }
        },
        HostileLayout(name: "gestures on views in each other", size: 2) { size in
            screen + "views:\n"
                + lines(size) {
                    String(repeating: "  ", count: $0 * 2) + "  - frame: [0, 0, 9, 9]\n"
                        + String(repeating: "  ", count: $0 * 2)
                        + "    gestures: [{tap: {}, run: log}, {pinch: , run: log}]"
                        + ($0 + 1 < size ? "\n" + String(repeating: "  ", count: $0 * 2) + "    views:" : "")
                }
        },
        HostileLayout(name: "misspelt ids", size: 30) { size in
            screen + "on: {began: [\(list(size) { "{hide: wiew-\($0)}" })]}\nviews:\n"
                + lines(size) { "  - {id: view-\($0), frame: \(frame($0))}" }
        },
        HostileLayout(name: "misspelt handlers", size: 30) { size in
            screen + "on: {began: [\(list(size) { "hnadler-\($0)" })]}\nhandlers:\n"
                + lines(size) { "  handler-\($0): log" }
        },
        HostileLayout(name: "a key again and again", size: 500) { size in
            screen + "handlers: {\(list(size) { _ in "a: log" })}\n"
        },
        HostileLayout(name: "directives", size: 100) { size in
            lines(size) { "%TAG !t\($0)! tag:example.org,2000:\($0)" } + "---\n" + screen
        },
        HostileLayout(name: "directives after the document", size: 100) { size in
            screen + "...\n" + lines(size) { "%TAG !t\($0)! tag:example.org,2000:\($0)" } + "--- a\n"
        },
        HostileLayout(name: "a long cell name, often in a text, in many cells", size: 5) { size in
            let cell = String(repeating: "x", count: 10_000)
            return screen + "views:\n  - repeat: {columns: \(size), frame: [0, 0, 500, 500], cells: [&c \(cell)"
                + String(repeating: ", *c", count: size - 1)
                + "], view: {on: {began: {log: \"\(String(repeating: "{cell}", count: 1000))\"}}}}\n"
        },
        HostileLayout(name: "aliases of a long text", size: 5) { size in
            screen + "on: {began: [{log: &t \"\(String(repeating: "x", count: 200_000))\"}"
                + String(repeating: ", {log: *t}", count: size - 1) + "]}\n"
        },
        HostileLayout(name: "aliases of a long number", size: 5) { size in
            screen + "views:\n"
                + lines(size) {
                    "  - {frame: [\($0 == 0 ? "&z " + String(repeating: "0", count: 200_000) : "*z"), 0, 9, 9]}"
                }
        },
        HostileLayout(name: "aliases of a long list", size: 20) { size in
            screen + "views:\n"
                + lines(size) {
                    let corners = $0 == 0 ? "&p [" + String(repeating: "[0, 0], ", count: size * 10) + "]" : "*p"
                    return "  - {frame: [0, 0, 9, 9], shape: {polygon: \(corners)}}"
                }
        },
        HostileLayout(name: "aliases of many steps", size: 10) { size in
            screen + "handlers:\n"
                + lines(size) {
                    "  h\($0): \($0 == 0 ? "&s [" + String(repeating: "log, ", count: size * 10) + "]" : "*s")"
                }
        },
        HostileLayout(name: "grids in grids", size: 1) { size in
            var text = screen + "views:\n"
            var indent = "  "
            for _ in 0..<min(size, 60) {
                text += indent + "- repeat:\n" + indent + "    columns: 1\n" + indent
                text += "    frame: [0, 0, 100%, 100%]\n" + indent + "    view:\n" + indent + "      views:\n"
                indent += "        "
            }
            return text + indent
                + "- repeat: {columns: 50, rows: 20, frame: [0, 0, 100%, 100%], view: {on: {began: log}}}\n"
        },
        HostileLayout(name: "pages behind views of every page", size: 20) { size in
            screen + "views:\n" + lines(size) { "  - {id: f\($0), frame: \(frame($0))}" } + "pages:\n"
                + lines(size) { "  p\($0): {on: {appeared: {go: p\($0)}}, views: [{frame: [0, 1000, 9, 9]}]}" }
        },
        HostileLayout(name: "views on top of each other", size: 30) { size in
            screen + "views:\n" + lines(size) { "  - {frame: [\($0), 0, \(1000 - $0 % 900), 9], passthrough: false}" }
        },
        HostileLayout(name: "arguments of one step", size: 50) { size in
            screen + "on: {began: {run: h, with: {\(list(size) { "a\($0): x" })}}}\nhandlers: {h: {log: a}}\n"
        },
        HostileLayout(name: "screens", size: 10) { size in
            "screens:\n" + lines(size) { "  s\($0): {size: [10, 10]}" } + "views:\n"
                + lines(size) { "  - {screen: s\($0), frame: [0, 0, 1, 1]}" }
        },
        HostileLayout(name: "keys without a value", size: 50) { size in
            screen + "views:\n" + lines(size) { "  - {frame: \(frame($0)), on: , hidden: false}" }
        },
        HostileLayout(name: "facts that nothing has", size: 100) { size in
            screen + "on: {began: {log: \"\((0..<size).map { "{fact\($0)}" }.joined())\"}}\n"
        },
        HostileLayout(name: "lists in lists", size: 9) { size in
            screen + "handlers: " + String(repeating: "[", count: size) + String(repeating: "]", count: size) + "\n"
        },
    ]
}
