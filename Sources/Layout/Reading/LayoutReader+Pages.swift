import Foundation

nonisolated extension LayoutReader {
    /// `pages:`, each name with its page, from all files.
    mutating func pages(_ node: Node) {
        guard let entries = nodes.entries(node, "'pages'") else { return }
        for (key, name, value) in entries where nodes.checkName(name, "a page's name", at: key) {
            if let first = references.pages[name] {
                nodes.note(at: key, "two pages have the name '\(name)'; the first is at \(first)")
                continue
            }
            references.pages[name] = key.location
            if let page = page(value, named: name, at: key) { document.pages.append(page) }
        }
    }

    private mutating func page(_ node: Node, named name: String, at key: Node) -> PageSpec? {
        var page = PageSpec(name: name, location: key.location, screen: nil, on: [], views: [])
        // An empty page is reported by the checker, when all files are read.
        if node.isNull { return page }
        let keys = ["screen", "on", "views", "reset-on-leave"]
        guard let values = nodes.mapping(node, "page '\(name)'", keys: keys) else { return nil }
        page.screen = values["screen"].flatMap { screenName($0) }
        page.on = values["on"].map { bindings($0, for: .page) } ?? []
        page.resetsOnLeave = flag(values["reset-on-leave"], "'reset-on-leave'", default: false)
        let size = screenSize(named: page.screen)
        page.views = values["views"].map { views($0, in: Context(size: size, level: .page)) } ?? []
        return page
    }

    /// `idle:`, the steps when the screens are not touched.
    mutating func idle(_ node: Node) {
        for item in nodes.oneOrMore(node) {
            let keys = ["after", "run", "wake", "on", "forward"]
            guard let values = nodes.mapping(item, "an entry of 'idle'", keys: keys) else { continue }
            guard let after = values["after"] else {
                nodes.note(at: item, "the entry of 'idle' has no 'after'; add after: TIME")
                continue
            }
            let delay = seconds(after, "'after'", in: .seconds(1) ... .seconds(604_800))
            var on = values["on"].map { bindings($0, for: .idle) } ?? []
            if let run = values["run"] { on += steps(run, "'run'").map { HandlerBinding(trigger: .idle, step: $0) } }
            if let wake = values["wake"] {
                on += steps(wake, "'wake'").map { HandlerBinding(trigger: .woken, step: $0) }
            }
            if on.isEmpty, values.count == 1 {
                nodes.note(.warning, at: item, "this entry has no effect; add run: HANDLER")
            }
            let forwards = values["forward"].flatMap { forwardFlag($0, "'forward' of 'idle'") } ?? true
            if let delay { document.idle.append(IdleSpec(delay: delay, on: on, forwards: forwards)) }
        }
    }
}
