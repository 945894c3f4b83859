/// What a layout does, by docs/layout.md alone: pages, toggles, hidden and enabled views, presses, cooldowns, ignored
/// touches, published views and reloads. It has none of touchd's code.
final class LayoutModel {
    typealias Box = ModelLayout.Box

    /// A view's state, with what its layout or publisher says of it.
    struct State {
        var box: Box
        var isHidden: Bool, isEnabled: Bool, isOn: Bool
        var lastPress: Int?

        init(_ box: Box) { (self.box, isHidden, isEnabled, isOn) = (box, box.isHidden, box.isEnabled, box.isOn) }

        /// The state of the view of another layout, except what this one says otherwise.
        mutating func adopt(_ former: State) {
            if former.box.isHidden == box.isHidden { isHidden = former.isHidden }
            if former.box.isEnabled == box.isEnabled { isEnabled = former.isEnabled }
            if box.kind == .toggle, former.box.kind == .toggle, former.box.isOn == box.isOn { isOn = former.isOn }
            if box.cooldown > 0, former.box.cooldown > 0 { lastPress = former.lastPress }
        }
    }

    private struct Finger {
        var id: Int
        /// The key of the touched box; nil for a touch that no view handles, or that is over.
        var key: String?
        /// Whether it came down on a view with another finger.
        var isIgnored: Bool
        var isTracked = false, isHeld = false
    }

    private(set) var layout: ModelLayout
    private(set) var page: String
    /// By key, with the published ones.
    private(set) var states: [String: State] = [:]
    private(set) var published: [Box] = []
    /// Whether the published ones have not been published again since a reload.
    var isAwaited = false
    var events: [String] = []
    /// In milliseconds.
    private var time = 1000
    private var fingers: [Finger] = []
    private var requests: [String]?
    private var breakEnd: Int?
    private var lastRuns: [String: (time: Int, isOtherwise: Bool)] = [:]

    init(_ layout: ModelLayout) {
        self.layout = layout
        page = layout.pages[0].name
        for box in layout.boxes { states[box.key] = State(box) }
        changePages { showed() }
    }

    // MARK: Time and touches

    func advance(by milliseconds: Int) {
        time += milliseconds
        if let end = breakEnd, end <= time {
            breakEnd = nil
            events.append("touches are delivered again")
        }
    }

    func down(_ id: Int, at x: Int, _ y: Int) {
        advance(by: 10)
        let key = breakEnd == nil ? boxKey(at: x, y) : nil
        fingers.append(Finger(id: id, key: key, isIgnored: key != nil && fingers.contains { $0.key == key }))
        guard let (_, state) = touched(id) else { return }
        if state.box.kind == .view { return run("began", of: state.box) }
        hold(id, true)
        if state.box.cooldown > 0, let last = state.lastPress, time - last < state.box.cooldown {
            return events.append("dropped")
        }
        change(id) { $0.isTracked = true }
    }

    func move(_ id: Int, to x: Int, _ y: Int) {
        advance(by: 10)
        guard let (_, state) = touched(id) else { return }
        if state.box.kind == .view { return run("moved", of: state.box) }
        if state.isEnabled { hold(id, isInside(state.box, x, y)) }
    }

    func up(_ id: Int, at x: Int, _ y: Int) {
        advance(by: 10)
        guard let (finger, state) = touched(id) else { return fingers.removeAll { $0.id == id } }
        hold(id, false)
        fingers.removeAll { $0.id == id }
        if state.box.kind == .view { return run("ended", of: state.box) }
        guard finger.isTracked, isInside(state.box, x, y) else { return }
        if state.box.kind == .toggle {
            set(&states[state.box.key], isOn: !state.isOn)
            run(state.isOn ? "switched-off" : "switched-on", of: state.box)
        }
        if state.box.cooldown > 0 { states[state.box.key]?.lastPress = time }
        events.append("\(state.box.name) pressed")
        run("pressed", of: state.box)
    }

    func palm(_ id: Int) {
        advance(by: 10)
        cancel { $0.id == id }
        fingers.removeAll { $0.id == id }
    }

    private func touched(_ id: Int) -> (Finger, State)? {
        guard let finger = fingers.first(where: { $0.id == id }), !finger.isIgnored, let key = finger.key,
            let state = states[key]
        else { return nil }
        return (finger, state)
    }

    private func change(_ id: Int, _ body: (inout Finger) -> Void) {
        if let index = fingers.firstIndex(where: { $0.id == id }) { body(&fingers[index]) }
    }

    private func boxKey(at x: Int, _ y: Int) -> String? {
        states.values.first { state in
            let box = state.box, size = ModelLayout.size
            let isThere = box.row == ModelLayout.slotRow ? !isAwaited : box.page == nil || box.page == page
            return isThere && !state.isHidden && state.isEnabled && (box.x..<box.x + size).contains(x)
                && (box.y..<box.y + size).contains(y)
        }?.box.key
    }

    /// A finger on a control may leave it by 70 points.
    private func isInside(_ box: Box, _ x: Int, _ y: Int) -> Bool {
        let size = ModelLayout.size
        return (box.x - 70..<box.x + size + 70).contains(x) && (box.y - 70..<box.y + size + 70).contains(y)
    }

    private func hold(_ id: Int, _ isHeld: Bool) {
        guard let (finger, state) = touched(id), state.box.kind != .view, finger.isHeld != isHeld else { return }
        change(id) { $0.isHeld = isHeld }
        events.append("\(state.box.name) \(isHeld ? "held" : "released")")
    }

    /// Cancels touches, in the order in which they began.
    private func cancel(_ isAffected: (Finger) -> Bool) {
        for finger in fingers.filter({ isAffected($0) }) {
            let state = touched(finger.id)?.1
            hold(finger.id, false)
            change(finger.id) { $0.key = nil }
            if let state { run("cancelled", of: state.box) }
        }
    }

    // MARK: Steps

    private func run(_ trigger: String, of box: Box) { perform(box.steps[trigger] ?? []) }

    private func perform(_ steps: [ModelLayout.Step]) {
        for step in steps {
            switch step {
            case .log(let number): events.append("\(number)")
            case .command(let name, let operand): command(name, operand)
            case .ignore(let seconds): ignore(seconds)
            case .run(let name): runHandler(name)
            }
        }
    }

    private func runHandler(_ name: String) {
        guard let handler = layout.handlers.first(where: { $0.name == name }) else { return }
        let holds =
            handler.condition.map { $0.fact == "page" ? page == $0.operand : states[$0.operand]?.isOn == true } ?? true
        let steps = holds ? handler.steps : handler.otherwise
        guard !steps.isEmpty else { return }
        if handler.cooldown > 0 {
            if let last = lastRuns[name], time - last.time < handler.cooldown, !(holds && last.isOtherwise) {
                return events.append("dropped \(name)")
            }
            lastRuns[name] = (time, !holds)
        }
        perform(steps)
    }

    private func ignore(_ seconds: Int) {
        let end = time + seconds * 1000
        guard end > breakEnd ?? 0 else { return }
        let isFirst = breakEnd == nil
        breakEnd = end
        events.append("touches are ignored for \(seconds).0 s")
        if isFirst { cancel { _ in true } }
    }

    func command(_ name: String, _ operand: String) {
        switch name {
        case "go": go(to: operand)
        case "reset": reset(operand)
        case "show", "hide": states[operand]?.isHidden = name == "hide"
        case "enable", "disable": enable(operand, name == "enable")
        case "toggle": set(&states[operand], isOn: states[operand]?.isOn == false)
        default: set(&states[operand], isOn: name == "switch-on")
        }
    }

    private func enable(_ key: String, _ isEnabled: Bool) {
        states[key]?.isEnabled = isEnabled
        guard !isEnabled, let finger = fingers.first(where: { $0.key == key && !$0.isIgnored }) else { return }
        change(finger.id) { $0.isTracked = false }
        hold(finger.id, false)
    }

    private func set(_ state: inout State?, isOn: Bool) {
        guard let box = state?.box, state?.isOn != isOn else { return }
        state?.isOn = isOn
        events.append("\(box.name) \(isOn ? "on" : "off")")
    }

    private func reset(_ page: String) {
        for box in layout.boxes.reversed() where box.page == page {
            if box.kind == .toggle { set(&states[box.key], isOn: box.isOn) }
            states[box.key]?.isHidden = box.isHidden
            if states[box.key]?.isEnabled != box.isEnabled { enable(box.key, box.isEnabled) }
        }
    }

    // MARK: Pages

    private func go(to name: String) {
        guard let requests else { return changePages { show(name) } }
        if requests.last == name { return }
        if requests.count == 16 { return events.append("endless") }
        self.requests?.append(name)
    }

    private func changePages(_ body: () -> Void) {
        requests = requests ?? []
        body()
        var number = 0
        while let requests, number < requests.count {
            show(requests[number])
            number += 1
        }
        requests = nil
    }

    private func show(_ name: String) {
        guard name != page else { return }
        let former = page
        page = name
        cancel { finger in finger.key.flatMap { states[$0]?.box.page } == former }
        perform(spec(of: former)?.steps["disappeared"] ?? [])
        if spec(of: former)?.resetsOnLeave == true { reset(former) }
        showed()
    }

    private func showed() {
        perform(spec(of: page)?.steps["appeared"] ?? [])
        events.append("page \(page)")
    }

    private func spec(of page: String) -> ModelLayout.Page? { layout.pages.first { $0.name == page } }

    // MARK: Reloads and publishers

    func reload(_ new: ModelLayout) {
        cancel { _ in true }
        let stays = new.pages.contains { $0.name == page }
        if !stays {
            requests = []
            perform(spec(of: page)?.steps["disappeared"] ?? [])
            requests = requests?.filter { name in new.pages.contains { $0.name == name } }
            page = new.pages[0].name
        }
        let former = states
        states = states.filter { $0.value.box.row == ModelLayout.slotRow }
        for box in new.boxes {
            var state = State(box)
            if let old = former[box.key] { state.adopt(old) }
            states[box.key] = state
        }
        layout = new
        lastRuns = lastRuns.filter { entry in new.handlers.contains { $0.name == entry.key } }
        isAwaited = !published.isEmpty
        changePages { if !stays { showed() } }
    }

    /// Equal boxes stay; others are new.
    func publish(_ boxes: [Box]) {
        let former = states
        for box in boxes {
            guard let old = former[box.key], old.box.isSame(as: box) else { continue }
            states[box.key]?.box = box
            if old.box.isHidden != box.isHidden { states[box.key]?.isHidden = box.isHidden }
            if old.box.isEnabled != box.isEnabled { enable(box.key, box.isEnabled) }
            if old.box.isOn != box.isOn { states[box.key]?.isOn = box.isOn }
        }
        let gone = published.filter { box in !boxes.contains { $0.isSame(as: box) } }.map(\.key)
        cancel { finger in finger.key.map { gone.contains($0) } == true }
        for key in gone { states[key] = nil }
        for box in boxes where states[box.key] == nil { states[box.key] = State(box) }
        published = boxes
    }

    func vanish() {
        isAwaited = false
        publish([])
    }
}
