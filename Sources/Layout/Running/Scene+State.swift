import Basics
import ControlProtocol
import TouchKit

/// The view state that handlers change, and how it is kept on reload.
extension Scene {
    /// Whether a view itself is not hidden; its ancestors may be.
    package func isShown(_ id: String) throws(SceneError) -> Bool { try !existing(id).isHidden }

    /// Whether a view itself is enabled; its ancestors may be disabled.
    package func isEnabled(_ id: String) throws(SceneError) -> Bool { try existing(id).isUserInteractionEnabled }

    /// Whether a toggle is on.
    package func isOn(_ id: String) throws(SceneError) -> Bool {
        guard let toggle = try existing(id) as? ToggleButton else { throw .noToggle(id) }
        return toggle.isSelected
    }

    /// Hides or shows a view. Touches that began on it continue, as in UIKit.
    package func setHidden(_ isHidden: Bool, of id: String) throws(SceneError) {
        let view = try existing(id)
        remember(view, id)
        view.isHidden = isHidden
    }

    /// Enables or disables a view; disabling a control cancels tracking.
    package func setEnabled(_ isEnabled: Bool, of id: String) throws(SceneError) {
        let view = try existing(id)
        remember(view, id)
        set(isEnabled, of: view)
    }

    /// Keeps the state of a view that changes for the first time.
    private func remember(_ view: View, _ id: String) {
        let scene = keeper(of: id)
        scene.originals[id] = scene.originals[id] ?? (view.isHidden, view.isUserInteractionEnabled)
    }

    /// Switches a toggle on or off without running its handlers.
    package func setOn(_ isOn: Bool, of id: String) throws(SceneError) {
        guard let toggle = try existing(id) as? ToggleButton else { throw .noToggle(id) }
        toggle.isSelected = isOn
    }

    /// The toggles with an id, each with its state, sorted by id; without those in private views.
    package var toggles: [(id: String, isOn: Bool)] {
        let published = slots.values.flatMap { ($0.former?.slot ?? $0).views.values }
            .compactMap { $0 as? ToggleButton }.filter(\.isReported)
        let all = (fileToggles + published).compactMap { toggle in
            toggle.accessibilityIdentifier.map { (id: $0, isOn: toggle.isSelected) }
        }
        return published.isEmpty ? all : all.sorted { $0.id < $1.id }
    }

    /// Restores the views of a page: hidden or shown, enabled or disabled, switched on or off as the layout or the
    /// publisher has them. Runs no handlers.
    package func reset(page name: String) throws(SceneError) { reset(try existing(page: name)) }

    func reset(_ page: PageController) {
        reset(page.view.subviews)
        for former in slots.values.compactMap(\.former) {
            guard let page = former.scene.pages[page.page.name]?.view,
                former.slot.view.withSuperviews.contains(where: { $0 === page })
            else { continue }
            former.scene.reset([former.slot.content])
        }
    }

    private func reset(_ views: [View]) {
        var waiting = views
        while let view = waiting.popLast() {
            waiting += view.subviews
            if let toggle = view as? ToggleButton { toggle.isSelected = toggle.isOnAtFirst }
            guard let id = view.accessibilityIdentifier, let original = originals.removeValue(forKey: id) else {
                continue
            }
            view.isHidden = original.isHidden
            set(original.isEnabled, of: view)
        }
    }

    /// Switches a toggle without running its handlers; hides or shows any other view.
    package func toggle(_ id: String) throws(SceneError) {
        if let toggle = try existing(id) as? ToggleButton {
            toggle.isSelected.toggle()
        } else {
            try setHidden(isShown(id), of: id)
        }
    }

    /// Copies the state of another scene before `activate()`: the visible pages that still exist, and changes to views
    /// and toggles, unless the file changed the same property.
    ///
    /// Copied pages do not appear again: their `appeared` handlers do not run. Those that are gone disappear in the other
    /// scene.
    package func adoptState(of old: Scene) {
        for page in old.currentPages {
            guard let controller = pages[page], let number = windows.firstIndex(where: { $0 === controller.pageWindow })
            else { continue }
            current[number] = controller
            adoptedPages.insert(page)
        }
        // First, because their handlers may change the state that is copied.
        let gone = old.current.compactMap { $0 }.filter { page in !currentPages.contains(page.page.name) }
        old.requestedPages = []
        for page in gone { old.run(.disappeared, of: page) }
        // They are shown after the pages of this scene have appeared.
        requestedPages = old.requestedPages?.compactMap { pages[$0.page.name] }
        old.requestedPages = nil
        for (id, view) in fileViews {
            guard let before = old.view(withIdentifier: id) else { continue }
            adopt(before, as: view, original: old.originals[id])
        }
        adoptUnnamedControls(in: old.pages.values.map(\.view) + old.windows, of: old)
        if old.document.accommodations?.isEnabled == document.accommodations?.isEnabled {
            isAccommodating = old.isAccommodating
        }
        // Headphones that are still plugged in do not start again what has ended.
        let hadHeadphones = old.document.accessibility.start.headphones
        resumesTalking = old.session != nil ? true : hadHeadphones ? false : nil
        exploredCount = old.talking?.contacts
        if old.document.accessibility.language == document.accessibility.language { language = old.language }
        for slot in slots.values {
            guard let former = old.slots[slot.name] else { continue }
            slot.former = former.former ?? (former.owner == nil ? nil : Slot.Former(scene: old, slot: former))
        }
    }

    /// Copies the state of the views before a reload to those that were published again.
    func adoptState(of former: Slot.Former, in slot: Slot) {
        for (id, view) in slot.views {
            guard let before = former.slot.views[id] else { continue }
            adopt(before, as: view, original: former.scene.originals[id])
        }
        adoptUnnamedControls(in: [former.slot.content], of: former.scene)
    }

    /// - Parameter original: What the file or publication said of the former view, if that was changed.
    private func adopt(_ former: View, as view: View, original: (isHidden: Bool, isEnabled: Bool)?) {
        if let id = view.accessibilityIdentifier, let original {
            if former.isHidden != original.isHidden, view.isHidden == original.isHidden {
                remember(view, id)
                view.isHidden = former.isHidden
            }
            let isEnabled = former.isUserInteractionEnabled
            if isEnabled != original.isEnabled, view.isUserInteractionEnabled == original.isEnabled {
                remember(view, id)
                set(isEnabled, of: view)
            }
        }
        (view as? LayoutButton)?.adoptState(of: former)
    }

    /// Copies the state of controls without an id to the views at their places.
    private func adoptUnnamedControls(in roots: [View], of old: Scene) {
        var waiting = roots
        while let former = waiting.popLast() {
            waiting += former.subviews
            guard former.accessibilityIdentifier == nil, (former as? LayoutButton)?.isChanged == true else { continue }
            (counterpart(of: former, in: old) as? LayoutButton)?.adoptState(of: former)
        }
    }

    /// The view at the place of one in another scene: with its id, otherwise with its frame in the same superview.
    private func counterpart(of view: View, in old: Scene) -> View? {
        if let id = view.accessibilityIdentifier { return self.view(withIdentifier: id) }
        if view is SlotContent { return old.slot(of: view).flatMap { slots[$0.name] }?.content }
        if let page = old.pages.values.first(where: { $0.view === view }) { return pages[page.page.name]?.view }
        if let number = old.windows.firstIndex(where: { $0 === view }) {
            return document.number(ofScreen: old.document.screens[number].name).map { windows[$0] }
        }
        guard let superview = view.superview, let place = counterpart(of: superview, in: old) else { return nil }
        let key = view.layoutSpec.map { EntryKey($0) }
        func equal(in superview: View) -> [View] {
            superview.subviews.filter { $0.layoutSpec.map { EntryKey($0) } == key }
        }
        guard let number = equal(in: superview).firstIndex(of: view) else { return nil }
        return equal(in: place).dropFirst(number).first
    }

    func set(_ isEnabled: Bool, of view: View) {
        view.isUserInteractionEnabled = isEnabled
        if let control = view as? Control { control.isEnabled = isEnabled }
    }

    func existing(page name: String) throws(SceneError) -> PageController {
        guard let page = pages[name] else {
            throw .unknown(UnknownName(.page, name, known: document.pages.map(\.name)))
        }
        return page
    }

    func existing(_ id: String) throws(SceneError) -> View {
        guard let view = keeper(of: id).view(withIdentifier: id) else {
            let known = identifiedViews.filter { $0.isReported }.compactMap(\.accessibilityIdentifier)
            throw .unknown(UnknownName(.view, id, known: known))
        }
        return view
    }

    /// The scene with a view: until views are published again after a reload, the former one, so that handlers and
    /// commands find them.
    private func keeper(of id: String) -> Scene {
        if view(withIdentifier: id) != nil { return self }
        return slots.values.lazy.compactMap(\.former).first { $0.slot.contains(id) }?.scene ?? self
    }

    // MARK: Accessibility

    /// Turns the layout's accommodations on or off. Touches that are down continue.
    package func accommodate(_ isOn: Bool) throws(SceneError) {
        guard accommodations != nil else { throw .noAccommodations }
        isAccommodating = isOn
        if isActive { application.inputFilters = inputFilters }
    }

    /// Turns the talking mode on or off. Touches that are down continue.
    package func talk(_ isOn: Bool) {
        guard isOn != (session != nil), isActive || !isOn else { return }
        let former = session
        let next = isOn ? screen(named: document.accessibility.screen).map { TalkSession(self, on: $0) } : nil
        exploredCount = (exploredCount ?? 0) + (former?.exploring.keptCount ?? 0)
        session = next
        for recognizer in holdRecognizers { recognizer.isEnabled = next == nil }
        if let former {
            former.end()
            language = document.accessibility.language
        }
        // Handlers of the touches that end now may turn the mode on or off again.
        application.inputFilters = inputFilters
        if let next, session === next { next.begin() }
    }

    /// Whether the talking mode is on, and the number of contacts that explored; nil if it was never on.
    package var talking: (isOn: Bool, contacts: Int)? {
        exploredCount.map { (session != nil, $0 + (session?.exploring.keptCount ?? 0)) }
    }

    /// Has a text said to somebody who does not see the screen, in a language if its tag is valid.
    package func say(_ text: String, in language: String? = nil) {
        var record = AccessibilityRecord(time: application.currentTime, change: .said)
        record.label = text
        record.language = language.flatMap { LabelSpec.isLanguage($0) ? $0 : nil }
        tell(record)
    }

    /// Sets the language of labels.
    package func setLanguage(_ language: String) throws(SceneError) {
        guard labelledViews.contains(where: { $0.layoutSpec?.label?.texts[language] != nil }) else {
            throw .noLanguage(language)
        }
        self.language = language
    }

    private var labelledViews: [View] {
        var views: [View] = [], waiting: [View] = pages.values.map(\.view) + windows
        while let view = waiting.popLast() {
            waiting += view.subviews
            if view.layoutSpec?.label != nil { views.append(view) }
        }
        return views
    }

    /// The language of labels; nil for the first of each.
    private(set) var language: String? {
        get { actions.language }
        set {
            guard newValue != actions.language else { return }
            actions.language = newValue
            for view in labelledViews { if let spec = view.layoutSpec { view.setLabel(spec, in: newValue) } }
        }
    }

    /// Reports what the talking mode says, in the language of the labels.
    func tell(_ record: AccessibilityRecord, of view: View? = nil) {
        var record = record
        record.language = record.language ?? language
        observer?.told(record, of: view)
    }

    /// The filters of the application while the scene is active.
    var inputFilters: [any InputFilter] {
        var filters: [any InputFilter] = []
        if isAccommodating, let accommodations { filters.append(accommodations) }
        if let session { filters.append(session.exploring) }
        return filters
    }

    // MARK: Changes

    /// A view that was hidden, shown, enabled or disabled since the layout was loaded.
    package struct ViewChange: Equatable, Sendable {
        /// Its id.
        package var id: String
        /// Whether it is hidden now.
        package var isHidden: Bool
        /// Whether it is enabled now.
        package var isEnabled: Bool
    }

    /// The views whose state differs from the file, sorted by id; views that were changed back are left out.
    package var changedViews: [ViewChange] {
        originals.sorted { $0.key < $1.key }.compactMap { id, original in
            guard let view = view(withIdentifier: id),
                view.isHidden != original.isHidden || view.isUserInteractionEnabled != original.isEnabled
            else { return nil }
            return ViewChange(id: id, isHidden: view.isHidden, isEnabled: view.isUserInteractionEnabled)
        }
    }
}

extension LayoutCommand {
    /// Applies the command to a scene, except `ignore` and `reload`, which do not concern the scene.
    package func apply(to scene: Scene) throws(SceneError) {
        if case .turned(let kind, let isOn) = self {
            return kind == .talk ? scene.talk(isOn) : try scene.accommodate(isOn)
        }
        if case .say(let text, let language) = self { return scene.say(text, in: language) }
        guard case .named(let kind, let name) = self else { return }
        switch kind {
        case .go: try scene.go(to: name)
        case .show, .hide: try scene.setHidden(kind == .hide, of: name)
        case .enable, .disable: try scene.setEnabled(kind == .enable, of: name)
        case .toggle: try scene.toggle(name)
        case .switchOn, .switchOff: try scene.setOn(kind == .switchOn, of: name)
        case .reset: try scene.reset(page: name)
        case .language: try scene.setLanguage(name)
        case .ignore, .accommodate, .talk, .say, .reload: break
        }
    }
}
