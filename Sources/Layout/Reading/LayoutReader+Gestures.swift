import Foundation

nonisolated extension LayoutReader {
    /// The hands of two people, which is also as many contacts as screens report.
    private static let fingers = 1...20

    mutating func gestures(_ node: Node) -> [GestureSpec] {
        guard let items = nodes.sequence(node, "'gestures'") else { return [] }
        return items.compactMap { item in
            let gesture = gesture(item)
            if gesture == nil { references.isIncomplete = true }
            return gesture
        }
    }

    private mutating func gesture(_ node: Node) -> GestureSpec? {
        let keywords = GestureName.allCases.map(\.rawValue)
        if node.isScalar {
            guard let gesture = nodes.keyword(node, "a gesture", of: keywords).flatMap(GestureName.init) else {
                return nil
            }
            return kind(gesture, nil, defaults: defaults.gesture, at: node).map {
                GestureSpec(location: node.location, kind: $0, on: [])
            }
        }
        let others = [
            "id", "run", "on", "after-failure-of", "together-with", "cancels-touches", "cancels-forwarded",
            "delays-forwarded",
        ]
        guard let values = nodes.mapping(node, "a gesture", keys: keywords + others, nullable: keywords) else {
            return nil
        }
        let given = keywords.filter { values[$0] != nil }
        guard given.count == 1, let keyword = given.first, let gesture = GestureName(rawValue: keyword),
            let parameters = values[keyword]
        else {
            if given.isEmpty, values.hasUnknownKeys { return nil }
            nodes.note(
                at: node,
                given.isEmpty
                    ? "the gesture has no kind; add one of \(keywords.joined(separator: ", "))"
                    : "\(given.joined(separator: " and ")) are two gestures; make them two entries")
            return nil
        }
        let id = values["id"].flatMap { nodes.name($0, "'id'") }
        let kind = kind(gesture, parameters, defaults: defaults.gesture)
        var on = values["on"].map { bindings($0, for: .gesture) } ?? []
        if let run = values["run"] {
            on += steps(run, "'run'").map { HandlerBinding(trigger: .recognized, step: $0) }
        }
        let requirements = values["after-failure-of"].map { gestureNames($0, "'after-failure-of'") } ?? []
        let companions = values["together-with"].map { gestureNames($0, "'together-with'") } ?? []
        let cancels = flag(
            values["cancels-touches"] ?? defaults.gesture["cancels-touches"], "'cancels-touches'",
            // Sequences do not cancel touches by default, so that visitors do not notice them.
            default: gesture != .sequence)
        let takesBack = values["cancels-forwarded"].flatMap { forwardFlag($0, "'cancels-forwarded'") } ?? false
        let delays = values["delays-forwarded"].flatMap { forwardFlag($0, "'delays-forwarded'") } ?? false
        guard nodes.charge(node, bytes: 2 * MemoryLayout<GestureSpec>.stride) else { return nil }
        return kind.map {
            GestureSpec(
                id: id, location: node.location, kind: $0, requiresFailureOf: requirements,
                simultaneousWith: companions, cancelsTouchesInView: cancels, cancelsForwardedTouches: takesBack,
                delaysForwardedTouches: delays, on: on)
        }
    }

    private mutating func gestureNames(_ node: Node, _ what: String) -> [String] {
        guard node.count <= LayoutLimit.gestureRelations else {
            nodes.note(
                at: node,
                "\(what) must name at most \(LayoutLimit.gestureRelations) gestures (got \(node.count)); remove some"
            )
            return []
        }
        return nodes.oneOrMore(node).compactMap { item in
            let name = nodes.string(item, "a gesture of \(what)")
            if let name { references.mention(name, as: .gesture, at: item) }
            return name
        }
    }

    // MARK: Parameters

    /// The kind of gesture; `node` is the mapping of its parameters, or the value of the parameter with a short form.
    mutating func kind(
        _ gesture: GestureName, _ node: Node?, defaults: YAMLNodes.Values, at place: Node? = nil
    ) -> GestureSpec.Kind? {
        let keyword = gesture.rawValue
        var values = YAMLNodes.Values()
        var short: Node?
        if let node, !node.isNull {
            if node.isScalar, gesture == .edgePan || gesture == .swipe {
                short = node
            } else {
                guard let given = nodes.mapping(node, "'\(keyword)'", keys: gesture.parameters) else { return nil }
                values = given
            }
        }
        if let general = defaults[keyword], general.kind == .mapping {
            values.complete(by: nodes.mapping(general, "'\(keyword)'", keys: gesture.parameters) ?? .init())
        }
        func whole(_ key: String, _ fallback: Int, _ bounds: ClosedRange<Int>) -> Int? {
            guard let node = values[key] else { return fallback }
            return nodes.count(node, "'\(key)' of '\(keyword)'", in: bounds)
        }
        func seconds(_ key: String, _ fallback: Double) -> Double? {
            guard let node = values[key] else { return fallback }
            return self.seconds(node, "'\(key)' of '\(keyword)'", in: .milliseconds(50) ... .seconds(600))
        }
        switch gesture {
        case .tap:
            guard let taps = whole("taps", 1, 1...20), let touches = whole("touches", 1, Self.fingers) else {
                return nil
            }
            return .tap(taps: taps, touches: touches)
        case .longPress:
            let movement = values["movement"].map {
                nodes.number($0, "'movement' of 'long-press' (points)", in: 0...10_000)
            }
            guard let duration = seconds("duration", 0.5), let movement = movement ?? 10,
                let taps = whole("taps", 0, 0...20), let touches = whole("touches", 1, Self.fingers)
            else { return nil }
            return .longPress(duration: duration, movement: CGFloat(movement), taps: taps, touches: touches)
        case .pan:
            guard let least = whole("minimum-touches", 1, Self.fingers),
                let most = whole("maximum-touches", Self.fingers.upperBound, Self.fingers)
            else { return nil }
            guard least <= most else {
                if let node { nodes.note(at: node, "'minimum-touches' is greater than 'maximum-touches'") }
                return nil
            }
            return .pan(minimumTouches: least, maximumTouches: most)
        case .edgePan:
            guard let node = short ?? values["edge"] else { return missing("edge", of: keyword, at: node ?? place) }
            let edge = nodes.keyword(node, "the edge", of: GestureSpec.Edge.allCases.map(\.rawValue))
            return edge.flatMap(GestureSpec.Edge.init(rawValue:)).map { .edgePan($0) }
        case .swipe:
            guard let node = short ?? values["direction"] else {
                return missing("direction", of: keyword, at: node ?? place)
            }
            let name = nodes.keyword(node, "the direction", of: GestureSpec.Direction.allCases.map(\.rawValue))
            guard let direction = name.flatMap(GestureSpec.Direction.init(rawValue:)),
                let touches = whole("touches", 1, Self.fingers)
            else { return nil }
            return .swipe(direction, touches: touches)
        case .pinch: return .pinch
        case .rotation: return .rotation
        case .hover: return .hover
        case .sequence:
            guard let list = values["views"] else { return missing("views", of: keyword, at: node ?? place) }
            guard let within = seconds("within", 5), let views = sequenceViews(list) else { return nil }
            return .sequence(views: views, duration: within)
        case .chord:
            guard let touches = whole("touches", 2, Self.fingers), let duration = seconds("duration", 1) else {
                return nil
            }
            return .chord(touches: touches, duration: duration)
        }
    }

    private mutating func sequenceViews(_ node: Node) -> [String]? {
        guard let items = nodes.sequence(node, "'views' of 'sequence'") else { return nil }
        guard (1...50).contains(items.count) else {
            nodes.note(at: node, "a sequence must have 1 to 50 views (got \(items.count))")
            return nil
        }
        return items.compactMap { item in
            let name = nodes.string(item, "a view of 'sequence'")
            if let name { references.mention(name, as: .view, at: item) }
            return name
        }
    }

    private mutating func missing(_ key: String, of keyword: String, at node: Node?) -> GestureSpec.Kind? {
        // Defaults may be incomplete, and have no node then.
        if let node { nodes.note(at: node, "'\(keyword)' has no '\(key)'; add \(key): …") }
        return nil
    }
}
