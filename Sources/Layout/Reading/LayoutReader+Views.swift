import Foundation

nonisolated extension LayoutReader {
    static let viewKeys = [
        "id", "frame", "place", "control", "on", "gestures", "views", "shape", "slop", "transform", "hidden", "enabled",
        "alpha", "multiple-touch", "exclusive-touch", "passthrough", "redirect", "private", "forward", "cooldown",
    ]
    private static let fileViewKeys = viewKeys + ["slot"]
    private static let topViewKeys = fileViewKeys + ["screen"]

    /// The context in which a view is read.
    struct Context {
        enum Level { case everyPage, page, superview, grid }

        /// The superview's size in points.
        var size: CGSize
        var level: Level
        var depth = 1
        /// The number of gestures of all ancestors.
        var gestureCount = 0
        /// The frame that a grid assigns to the view, if it does.
        var cell: CGRect?
        /// The distance by which a grid moves the view from its frame.
        var offset = CGPoint.zero
    }

    mutating func views(_ node: Node, in context: Context) -> [ViewSpec] {
        guard context.depth <= LayoutLimit.viewDepth else {
            nodes.note(at: node, "views are nested more than \(LayoutLimit.viewDepth) deep; flatten them")
            references.isIncomplete = true
            return []
        }
        guard let items = nodes.sequence(node, "'views'") else { return [] }
        var views: [ViewSpec] = []
        views.reserveCapacity(items.count)
        for item in items where canGoOn(at: item) {
            if isGrid(item) {
                views += grid(item, in: context)
            } else if let view = view(item, in: context) {
                views.append(view)
            }
        }
        return views
    }

    /// Whether the limits permit one more view.
    mutating func canGoOn(at node: Node) -> Bool {
        let limit = slotHandlers == nil ? LayoutLimit.views : LayoutLimit.publishedViews
        if viewCount == limit {
            let what = slotHandlers == nil ? "the layout" : "the publication"
            nodes.note(at: node, "\(what) has more than \(limit) views; write fewer, or smaller grids")
            viewCount += 1
        }
        if viewCount < limit, !nodes.isExhausted { return true }
        references.isIncomplete = true
        return false
    }

    mutating func view(_ node: Node, in context: Context) -> ViewSpec? {
        let keys =
            slotHandlers != nil
            ? Self.viewKeys : context.level == .everyPage ? Self.topViewKeys : Self.fileViewKeys
        guard var values = nodes.mapping(node, "a view", keys: keys) else {
            references.isIncomplete = true
            return nil
        }
        viewCount += 1
        guard nodes.charge(node, bytes: MemoryLayout<ViewSpec>.size + values.count * 16) else { return nil }
        if slotHandlers == nil { checkSlotKeys(values) }
        values.complete(by: defaults.view)
        var context = context
        let screen = context.level == .everyPage ? values["screen"].flatMap { screenName($0) } : nil
        if screen != nil { context.size = screenSize(named: screen) }
        let id = values["id"].flatMap { nodes.name($0, "'id'") }
        var name: String { id.map { "view '\($0)'" } ?? "a view" }
        let frame = frame(values, of: name, at: node, in: context)
        let size = frame?.size ?? context.size

        var view = ViewSpec(location: node.location, id: id, frame: frame ?? .zero)
        if let screen { view.screen = screen }
        var rest = values.count - (id == nil ? 0 : 1) - (values["frame"] == nil ? 0 : 1)
        if let node = values["control"] {
            rest -= 1
            if let control = control(node) { view.control = control }
        }
        if let node = values["on"] {
            rest -= 1
            view.on = bindings(node, for: .view)
        }
        // Most views have no other keys, and each search for one takes time.
        if rest > 0 { others(values, of: &view, named: name, size: size, in: context) }
        return view
    }

    /// Reads the keys that most views do not have.
    private mutating func others(
        _ values: YAMLNodes.Values, of view: inout ViewSpec, named name: @autoclosure () -> String, size: CGSize,
        in context: Context
    ) {
        if let node = values["shape"], let shape = shape(node, size: size) { view.shape = shape }
        if let node = values["slop"], let slop = slop(node) { view.slop = slop }
        if let node = values["transform"], let transform = transform(node) { view.transform = transform }
        view.isHidden = flag(values["hidden"], "'hidden'", default: false)
        view.isEnabled = flag(values["enabled"], "'enabled'", default: true)
        if let alpha = values["alpha"].flatMap({ nodes.number($0, "'alpha'", in: 0...1) }) { view.alpha = alpha }
        view.isMultipleTouchEnabled = flag(values["multiple-touch"], "'multiple-touch'", default: false)
        view.isExclusiveTouch = flag(values["exclusive-touch"], "'exclusive-touch'", default: false)
        view.isPassthrough = flag(values["passthrough"], "'passthrough'", default: false)
        view.isPrivate = flag(values["private"], "'private'", default: false)
        if let node = values["redirect"], let target = nodes.string(node, "'redirect'") {
            references.mention(target, as: .view, at: node)
            view.redirect = target
        }
        if let node = values["forward"] { view.forwards = forwardFlag(node, "'forward'") }
        if let node = values["cooldown"] {
            view.cooldown = cooldown(node)
            if view.control == nil {
                nodes.note(at: node, "'cooldown' is for controls; add control: button, or give it to a handler")
            }
        }
        let gestureCount = context.gestureCount + (values["gestures"]?.count ?? 0)
        if let node = values["gestures"] {
            if gestureCount <= LayoutLimit.gesturesOfTouch {
                view.gestures = gestures(node)
            } else {
                nodes.note(
                    at: node,
                    "\(name()) and its superviews have more than \(LayoutLimit.gesturesOfTouch) gestures (got "
                        + "\(gestureCount)) for one touch; remove some, or move them to other views")
                references.isIncomplete = true
            }
        }
        if let node = values["slot"] { view.slot = slot(node, of: &view) }
        if let node = values["views"] {
            var inside = Context(size: size, level: .superview)
            inside.depth = context.depth + 1
            inside.gestureCount = gestureCount
            view.views = views(node, in: inside)
        }
    }

    mutating func flag(_ node: Node?, _ what: String, default fallback: Bool) -> Bool {
        node.flatMap { nodes.bool($0, what) } ?? fallback
    }
}
