import Basics
import Foundation

/// The types of values. Each is one function, which reads the current word's value, or describes itself.
nonisolated extension LayoutReader {
    /// The value that is read now, with its visit, whose `what` is its name in messages; otherwise describes its form.
    mutating func reads(_ form: @autoclosure () -> Form) -> (Node, SectionVisit)? {
        guard isDescribing else { return at.value.map { ($0, at) } }
        at.described.form = form()
        return nil
    }

    /// The value itself, for code that reads it.
    mutating func node(_ form: @autoclosure () -> Form) -> Node? { reads(form())?.0 }

    mutating func flag() -> Bool? {
        guard let (node, at) = reads(.flag) else { return nil }
        return bool(node, at.what)
    }

    mutating func count(_ range: ClosedRange<Int>) -> Int? {
        guard let (node, at) = reads(.count(range)) else { return nil }
        return count(node, at.what, in: range)
    }

    mutating func number(_ range: ClosedRange<Double>, _ unit: String = "") -> Double? {
        guard let (node, at) = reads(.number(range, unit: unit)) else { return nil }
        return number(node, at.what, in: range)
    }

    mutating func time(_ range: ClosedRange<Duration> = .milliseconds(1) ... .seconds(31_536_000)) -> Duration? {
        guard let (node, at) = reads(.time(range)) else { return nil }
        return duration(node, at.what, in: range)
    }

    /// A time within bounds.
    mutating func duration(
        _ node: Node, _ what: String, in range: ClosedRange<Duration> = .milliseconds(1) ... .seconds(31_536_000)
    ) -> Duration? {
        guard let text = string(node, what) else { return nil }
        guard let duration = Duration(timeText: text) else {
            let fix = at.word(of: node).flatMap { $0.form.fix(of: node, or: $0.fallback) }.map { "; write \($0)" } ?? ""
            return invalid(node, "\(what) must be \(Duration.textForms) (got '\(text)')\(fix)")
        }
        guard range.contains(duration) else {
            let bounds = "\(range.lowerBound.timeText) and \(range.upperBound.timeText)"
            let hint = text.last?.isNumber == true ? "; a number without a unit is in seconds" : ""
            return invalid(node, "\(what) must be between \(bounds) (got '\(text)')\(hint)")
        }
        return duration
    }

    /// A time in seconds.
    mutating func seconds(_ range: ClosedRange<Duration>) -> TimeInterval? { time(range).map { $0 / .seconds(1) } }

    /// One of an enumeration's raw values.
    mutating func keyword<Value: RawRepresentable & CaseIterable>() -> Value? where Value.RawValue == String {
        keyword(of: Value.allCases.map(\.rawValue)).flatMap(Value.init)
    }

    mutating func keyword(of words: [String]) -> String? {
        guard let (node, at) = reads(.words(words)) else { return nil }
        return keyword(node, at.what, of: words)
    }

    mutating func text() -> String? {
        guard let (node, at) = reads(.text()) else { return nil }
        return string(node, at.what)
    }

    /// The name of a part of the layout.
    mutating func name() -> String? {
        guard let (node, at) = reads(.other("a name", .reference("name"), example: "NAME")) else { return nil }
        return name(node, at.what)
    }

    /// The name of something outside the layout, safe in a log line.
    mutating func label() -> String? {
        guard let (node, at) = reads(.other("a name", .reference("label"), example: "NAME")) else { return nil }
        return label(node, at.what)
    }

    /// The name of another part of the layout, which the checker looks for.
    mutating func name(of kind: References.Kind) -> String? {
        guard let (node, at) = reads(.name(of: "\(kind)")) else { return nil }
        return name(node, of: kind, at.what)
    }

    mutating func name(_ node: Node, of kind: References.Kind, _ what: @autoclosure () -> String) -> String? {
        guard let name = string(node, what()) else { return nil }
        references.mentions.append((kind, name, node.location))
        return name
    }

    /// A text with placeholders for facts.
    mutating func template() -> Template? {
        guard let (node, at) = reads(.text("template", remark: "it may contain facts")) else { return nil }
        return template(node, at.what)
    }

    /// A text with placeholders; facts that no event provides are recorded for the checker.
    mutating func template(_ node: Node, _ what: @autoclosure () -> String) -> Template? {
        guard let text = rawString(node, what()), let template = template(text, at: node, what()) else { return nil }
        for name in template.factNames where Fact(rawValue: name) == nil {
            references.otherFacts.append((name, references.currentHandler, node.location))
        }
        return template
    }

    /// A mapping.
    mutating func section<S: Section>(
        _ initial: S, called name: String? = nil, strictly: Bool = false, defaults: GivenWords = []
    ) -> S? {
        guard let node = mapping(S.table) else { return nil }
        return section(
            initial, at: node, called: name ?? at.what, in: at.scopeInside, strictly: strictly, defaults: defaults)
    }

    /// A mapping, for code that reads it.
    mutating func mapping(_ table: Table) -> Node? {
        if isDescribing { at.described.sections.append(table) }
        return node(.mapping(table))
    }

    /// One of several types, which the first function chooses from the node.
    mutating func either<Value>(
        _ isFirst: (Node) -> Bool, _ first: (inout LayoutReader) -> Value?, or second: (inout LayoutReader) -> Value?
    ) -> Value? {
        if !isDescribing { return at.value.flatMap { isFirst($0) ? first(&self) : second(&self) } }
        _ = first(&self)
        let one = at.described.form
        _ = second(&self)
        at.described.form = .either(one, at.described.form)
        return nil
    }

    /// A value or a list of such values; an invalid one is left out.
    mutating func oneOrMore<Value>(
        called: String? = nil, _ item: (inout LayoutReader) -> Value?
    ) -> [Value]? {
        if isDescribing {
            _ = item(&self)
            at.described.form = .oneOrMore(at.described.form)
            return nil
        }
        guard let node = at.value else { return nil }
        let word = at.called
        defer { at.called = word }
        if let called { at.called = called }
        let items = oneOrMore(node)
        return values(of: items, item)
    }

    /// A list of values; an invalid one is left out.
    mutating func list<Value>(
        called name: @autoclosure () -> String? = nil, _ item: (inout LayoutReader) -> Value?
    ) -> [Value]? {
        if isDescribing {
            _ = item(&self)
            at.described.form = .list(at.described.form)
            return nil
        }
        let visit = at
        guard let node = visit.value, let items = sequence(node, name() ?? visit.what) else { return nil }
        return values(of: items, item)
    }

    private mutating func values<Value>(of items: [Node], _ item: (inout LayoutReader) -> Value?) -> [Value] {
        let outer = at.value
        defer { at.value = outer }
        return items.compactMap {
            at.value = $0
            return item(&self)
        }
    }

    /// A list of numbers, one for each name, with its node.
    mutating func numbers(named names: [String]) -> (Node, [Double])? {
        let items = JSONSchema.list(names.map { _ in ["type": "number"] })
        let schema: JSONSchema = [
            "type": "array", "minItems": .int(names.count), "prefixItems": items, "items": false,
        ]
        guard let (node, at) = reads(.other("[\(names.joined(separator: ", "))]", schema)) else { return nil }
        return numbers(node, at.what, named: names).map { (node, $0) }
    }

    /// True or false for forwarded panels.
    mutating func forwardFlag() -> Bool? {
        firstForward = firstForward ?? at.value
        return flag()
    }

    /// A pause in seconds; without one it is 0.
    mutating func cooldown() -> TimeInterval? { seconds(.milliseconds(1) ... .seconds(60)) }
}

nonisolated extension Word {
    /// The default as it is written in a layout; nil for a word without one.
    var fallback: String? {
        if let unset { return unset }
        return switch (form, initial) {
        case (_, let value as Bool): value ? "true" : "false"
        case (_, let value as Int): String(value)
        case (_, let value as Duration): value.timeText
        case (.time, let value as Double): value == 0 ? nil : Duration.seconds(value).timeText
        case (_, let value as Double): LayoutReader.text(value)
        case (_, let value as String): value.isEmpty ? nil : value
        // To look for this conformance in other types is slow.
        case (.words, _), (.either(.words, _), _): (initial as? any RawRepresentable)?.rawValue as? String
        default: nil
        }
    }
}
