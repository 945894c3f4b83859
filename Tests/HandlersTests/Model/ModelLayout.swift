import Foundation

/// A layout as the generator makes it and `LayoutModel` understands it: views that do not overlap, on pages and beside them.
struct ModelLayout {
    enum Step: Equatable {
        case log(Int)
        /// `go`, `show`, `hide`, `enable`, `disable`, `toggle`, `switch-on`, `switch-off` or `reset`, and its operand.
        case command(String, String)
        case ignore(seconds: Int)
        case run(String)
    }

    enum Kind: Equatable {
        case view, button, toggle
    }

    typealias Steps = [String: [Step]]

    struct Box: Equatable {
        /// Nil for a view that is known by its place.
        var id: String?
        /// Nil beside the pages and in the slot.
        var page: String?
        var column: Int, row: Int
        var kind = Kind.view
        var isOn = false, isHidden = false, isEnabled = true
        /// In milliseconds; 0 for none.
        var cooldown = 0
        var steps: Steps = [:]

        var x: Int { column * 200 }
        var y: Int { row * 100 }
        /// What tells it from others, also after a reload.
        var key: String { id ?? "\(page ?? "-") \(x),\(y)" }
        /// Its name in events.
        var name: String { id ?? "\(x),\(y)" }

        /// Whether another box differs only in what a publisher can change while it is touched.
        func isSame(as other: Box) -> Bool {
            var other = other
            (other.isHidden, other.isEnabled, other.isOn) = (isHidden, isEnabled, isOn)
            return self == other
        }
    }

    struct Page: Equatable {
        var name: String
        var resetsOnLeave = false
        var steps: Steps = [:]
    }

    struct Handler: Equatable {
        var name: String
        var cooldown = 0
        /// `page` or `switched-on`, and its operand; nil without `when`.
        var condition: (fact: String, operand: String)?
        var steps: [Step] = [], otherwise: [Step] = []

        static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    }

    var pages: [Page] = []
    var boxes: [Box] = []
    var handlers: [Handler] = []

    /// The row of the slot, whose views have the coordinates of the screen.
    static let slotRow = 5
    static let size = 80

    // MARK: Texts

    var yaml: String {
        var lines = ["screen: {size: [1000, 1000]}", "pages:"]
        for page in pages {
            lines.append("  \(page.name):")
            lines.append("    reset-on-leave: \(page.resetsOnLeave)")
            lines.append("    on: {\(Self.text(page.steps))}")
            lines.append("    views:\(boxes.contains { $0.page == page.name } ? "" : " []")")
            lines += boxes.filter { $0.page == page.name }.map { "      - \(Self.text($0))" }
        }
        lines.append("views:")
        lines += boxes.filter { $0.page == nil }.map { "  - \(Self.text($0))" }
        lines.append("  - {slot: s, frame: [0, \(Self.slotRow * 100), 1000, 100]}")
        lines.append("handlers:")
        for handler in handlers {
            var words = handler.cooldown > 0 ? ["cooldown: \(handler.cooldown) ms"] : []
            if let condition = handler.condition { words.append("when: {\(condition.fact): \(condition.operand)}") }
            words.append("do: \(Self.text(handler.steps))")
            if !handler.otherwise.isEmpty { words.append("else: \(Self.text(handler.otherwise))") }
            lines.append("  \(handler.name): {\(words.joined(separator: ", "))}")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A list of boxes in the slot, as JSON.
    static func json(_ boxes: [Box]) -> String {
        let entries = boxes.map { box in
            var words = box.id.map { ["\"id\": \"\($0)\""] } ?? []
            words.append("\"frame\": [\(box.x), 0, \(size), \(size)]")
            if box.kind == .button { words.append("\"control\": \"button\"") }
            if box.kind == .toggle { words.append("\"control\": {\"toggle\": {\"on\": \(box.isOn)}}") }
            if box.cooldown > 0 { words.append("\"cooldown\": \"\(box.cooldown) ms\"") }
            words.append("\"hidden\": \(box.isHidden), \"enabled\": \(box.isEnabled)")
            return "{\(words.joined(separator: ", "))}"
        }
        return "[\(entries.joined(separator: ", "))]"
    }

    private static func text(_ box: Box) -> String {
        var words = box.id.map { ["id: \($0)"] } ?? []
        words.append("frame: [\(box.x), \(box.y), \(size), \(size)]")
        if box.kind == .button { words.append("control: button") }
        if box.kind == .toggle { words.append("control: {toggle: {on: \(box.isOn)}}") }
        if box.cooldown > 0 { words.append("cooldown: \(box.cooldown) ms") }
        words.append("hidden: \(box.isHidden), enabled: \(box.isEnabled), on: {\(text(box.steps))}")
        return "{\(words.joined(separator: ", "))}"
    }

    private static func text(_ steps: Steps) -> String {
        steps.keys.sorted().map { "\($0): \(text(steps[$0] ?? []))" }.joined(separator: ", ")
    }

    private static func text(_ steps: [Step]) -> String {
        let texts = steps.map { step in
            switch step {
            case .log(let number): "{log: \"\(number)\"}"
            case .command(let name, let operand): "{\(name): \(operand)}"
            case .ignore(let seconds): "{ignore: \(seconds) s}"
            case .run(let handler): handler
            }
        }
        return "[\(texts.joined(separator: ", "))]"
    }
}

/// Makes random layouts with the same places and ids, so that a reload finds most views again.
struct ModelGenerator {
    private var seed: UInt64

    init(seed: UInt64) { self.seed = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// A number from 0 to below a bound.
    mutating func next(_ bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }

    mutating func one<Element>(of elements: [Element]) -> Element { elements[next(elements.count)] }

    mutating func layout() -> ModelLayout {
        var layout = ModelLayout()
        for number in 0..<3 where layout.pages.isEmpty || next(4) > 0 {
            layout.pages.append(.init(name: "p\(number)", resetsOnLeave: next(4) == 0))
        }
        let homes: [String?] = layout.pages.map(\.name) + [nil]
        for home in homes {
            for row in (home == nil ? 0..<1 : 1..<4) {
                for column in 0..<3 where next(5) > 0 {
                    layout.boxes.append(box(home, column, row, isNamed: (column + row) % 3 > 0))
                }
            }
        }
        // Each runs only later ones.
        for number in 0..<3 { layout.handlers.append(.init(name: "h\(number)")) }
        for number in 0..<3 {
            let later = layout.handlers[(number + 1)...].map(\.name)
            var handler = ModelLayout.Handler(name: "h\(number)", cooldown: next(2) * 2995)
            handler.steps = steps(in: layout, running: later)
            let toggles = layout.boxes.filter { $0.kind == .toggle }.compactMap(\.id)
            if next(2) == 0 {
                handler.condition =
                    next(2) == 0 || toggles.isEmpty
                    ? ("page", one(of: layout.pages).name) : ("switched-on", one(of: toggles))
                if next(2) == 0 { handler.otherwise = steps(in: layout, running: later) }
            } else if handler.cooldown == 0 {
                handler.cooldown = 2995
            }
            layout.handlers[number] = handler
        }
        let names = layout.handlers.map(\.name)
        for index in layout.pages.indices {
            for trigger in ["appeared", "disappeared"] where next(2) == 0 {
                layout.pages[index].steps[trigger] = steps(in: layout, running: names)
            }
        }
        for index in layout.boxes.indices {
            let isView = layout.boxes[index].kind == .view
            for trigger in isView ? ["began", "moved", "ended", "cancelled"] : ["pressed"] where next(3) == 0 {
                layout.boxes[index].steps[trigger] = steps(in: layout, running: names)
            }
            guard layout.boxes[index].kind == .toggle else { continue }
            for trigger in ["switched-on", "switched-off"] where next(3) == 0 {
                layout.boxes[index].steps[trigger] = steps(in: layout, running: names)
            }
        }
        return layout
    }

    /// The list of a publisher; boxes that a former list has too are mostly the same.
    mutating func published() -> [ModelLayout.Box] {
        (0..<5).filter { _ in next(4) > 0 }.map { box(nil, $0, ModelLayout.slotRow, isNamed: $0 > 1) }
    }

    private mutating func box(_ page: String?, _ column: Int, _ row: Int, isNamed: Bool) -> ModelLayout.Box {
        var box = ModelLayout.Box(page: page, column: column, row: row)
        if isNamed { box.id = "\(page ?? (row == 0 ? "a" : "s"))-\(column)-\(row)" }
        box.kind = next(12) == 0 ? .view : one(of: [.view, .button, .toggle].suffix(column % 3 + 1))
        if column == 0, next(12) > 0 { box.kind = .toggle }
        box.isOn = box.kind == .toggle && next(6) == 0
        (box.isHidden, box.isEnabled) = (next(8) == 0, next(8) > 0)
        if box.kind != .view, (column + row) % 2 == 0 { box.cooldown = 2995 }
        return box
    }

    /// One to three steps, most of which concern parts of a layout.
    private mutating func steps(in layout: ModelLayout, running handlers: [String]) -> [ModelLayout.Step] {
        (0...next(3)).map { _ in
            switch next(12) {
            case 0, 1, 2: .log(next(1000))
            case 3, 4: .command("go", one(of: layout.pages).name)
            case 5..<8 where !handlers.isEmpty: .run(one(of: handlers))
            case 8 where next(3) == 0: .ignore(seconds: 1 + next(2))
            case 9 where next(2) == 0: .command("reset", one(of: layout.pages).name)
            default: command(on: layout.boxes) ?? .log(next(1000))
            }
        }
    }

    /// A command on one of these boxes; nil if none has an id.
    mutating func command(on boxes: [ModelLayout.Box]) -> ModelLayout.Step? {
        let named = boxes.filter { $0.id != nil }
        guard !named.isEmpty else { return nil }
        let box = one(of: named)
        let toggle = box.kind == .toggle ? ["toggle", "switch-on", "switch-off"] : []
        return .command(one(of: ["show", "show", "hide", "enable", "enable", "disable"] + toggle), box.key)
    }
}
