import ControlProtocol
import Evdev
import Foundation
import TouchKit

/// A running layout: its windows, the page on each screen, and its views by id.
///
/// The scene does not run the steps of `on:`. It calls `perform` with the step and its context, during the delivery.
///
/// In the responder chain a page's controller comes between its views and the window, and the layout's own `on:`
/// belongs to the application. Use it on the main thread only, like all of TouchKit.
package final class Scene {
    /// Runs a step of the layout.
    package typealias Perform = (HandlerStep, HandlerContext) -> Void

    /// The layout.
    package let document: LayoutDocument
    /// One window for each screen, in the layout's order; all are hidden before `activate()`.
    package let windows: [Window]
    /// Learns what happens; not retained, and it must live as long as the scene is active.
    package var observer: (any SceneObserver)? {
        get { actions.observer }
        set { actions.observer = newValue }
    }

    /// The application that sends events to the windows.
    package let application: Application
    /// The callbacks of views, controls and recognizers.
    package let actions: SceneActions
    /// The views of the layout file by id; created at the first access, because most runs of a seat map never need it.
    private(set) lazy var fileViews = Dictionary(
        View.identified(in: pages.values.map(\.view) + windows), uniquingKeysWith: { $1 })
    /// The private views of the layout file that are not in other private views, from back to front.
    private let privateViews: [View]
    let pages: [String: PageController]
    /// The slots by their names.
    let slots: [String: Slot]
    /// The published views that were replaced or withdrawn.
    package var discarded = DiscardedViews()
    /// The toggles of the layout file with an id, sorted; not those in private views.
    private(set) lazy var fileToggles = fileViews.values.compactMap { $0 as? ToggleButton }
        .filter(\.isReported)
        .sorted { ($0.accessibilityIdentifier ?? "") < ($1.accessibilityIdentifier ?? "") }
    /// The page that each window shows or will show; nil if the layout has no page for its screen.
    var current: [PageController?] {
        didSet { pageChanges += 1 }
    }
    /// How often a window got another page.
    private(set) var pageChanges = 0
    /// The pages that were visible in the previous scene, so they do not appear again.
    var adoptedPages: Set<String> = []
    /// The values of `hidden` and `enabled` in the file or publication, for views that were changed since.
    var originals: [String: (isHidden: Bool, isEnabled: Bool)] = [:]
    /// The help for hands that tremble; nil if the layout has none.
    package let accommodations: Accommodations?
    /// Whether it helps now.
    package internal(set) var isAccommodating: Bool
    /// Whether the talking mode begins with the scene, as it was before a reload; nil if headphones decide.
    var resumesTalking: Bool?
    /// The talking mode while it is on.
    var session: TalkSession?
    /// The number of contacts that explored while the talking mode was on before; nil if it never was.
    var exploredCount: Int?
    private(set) var isActive = false
    /// The pages that handlers have asked for since the current change of pages began; nil between changes.
    var requestedPages: [PageController]?

    /// They recognize the finger that starts the talking mode, and are disabled while that is on.
    private(set) var holdRecognizers: [GestureRecognizer] = []
    private let builder: SceneBuilder
    private var tokens: [HandlerToken] = []

    /// Builds a layout's windows and views.
    ///
    /// - Parameters:
    ///   - document: The checked layout.
    ///   - application: The application that sends events to the windows.
    ///   - perform: Runs the steps; the scene keeps it.
    package init(_ document: LayoutDocument, application: Application = .shared, perform: @escaping Perform) {
        self.document = document
        self.application = application
        accommodations = document.accommodations.map { Accommodations($0.settings, application: application) }
        isAccommodating = document.accommodations?.isEnabled == true
        let actions = SceneActions(perform)
        actions.language = document.accessibility.language
        self.actions = actions
        let windows = document.screens.enumerated().map { number, spec in
            let bounds = CGRect(origin: .zero, size: spec.size)
            return Window(frame: bounds, application: application, screen: number == 0 ? .main : Screen(bounds: bounds))
        }
        self.windows = windows
        var builder = SceneBuilder(actions)
        func number(of screen: String?) -> Int { document.number(ofScreen: screen) ?? 0 }

        var pages: [String: PageController] = [:]
        var current: [PageController?] = windows.map { _ in nil }
        for page in document.pages {
            let number = number(of: page.screen)
            let controller = PageController(page, in: windows[number])
            builder.bind(page.on, to: controller)
            for spec in page.views { controller.view.addSubview(builder.view(for: spec)) }
            pages[page.name] = controller
            if current[number] == nil { current[number] = controller }
        }
        for spec in document.views { windows[number(of: spec.screen)].addSubview(builder.view(for: spec)) }
        builder.finish(pages.values.map(\.view) + windows)
        self.builder = builder
        privateViews = builder.privateViews.filter { $0.outermostPrivate === $0 }
        slots = Dictionary(builder.slots.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.pages = pages
        self.current = current
        actions.findView = { [weak self] id in self?.view(withIdentifier: id) }
        recognizeRest()
    }

    /// Recognizes a finger that rests to start the talking mode.
    private func recognizeRest() {
        let spec = document.accessibility
        guard let hold = spec.start.hold, let number = document.number(ofScreen: spec.screen) else { return }
        // The first tells that something will happen, the second starts the mode.
        let (notice, start) = (RestRecognizer(), RestRecognizer())
        notice.minimumPressDuration = hold * 0.6
        start.minimumPressDuration = hold
        notice.cancelsTouchesInView = false
        notice.addHandler(in: [.began]) { [unowned self] _ in
            tell(AccessibilityRecord(time: application.currentTime, change: .holding))
        }
        // Otherwise its lift would press what is under it.
        start.cancelsForwardedTouches = true
        start.addHandler(in: [.began]) { [unowned self] _ in talk(true) }
        holdRecognizers = [notice, start]
        for recognizer in holdRecognizers {
            recognizer.name = "talk"
            windows[number].addGestureRecognizer(recognizer)
        }
    }

    /// Shows the windows with their pages, makes the first window the key window, and runs the pages' `appeared`
    /// handlers.
    ///
    /// The main screen takes the size of the layout's first screen.
    package func activate() {
        guard !isActive else { return }
        isActive = true
        if !privateViews.isEmpty || !slots.isEmpty {
            application.privateView = { [unowned self] in privateView(at: $0, on: $1) }
        }
        application.inputFilters = inputFilters
        if document.accessibility.start.headphones {
            application.headphonesHandler = { [unowned self] in talk($0) }
        }
        if let code = document.accessibility.start.key.flatMap({ KeyName.code(of: $0) }) {
            application.keyHandler = (code, { [unowned self] in talk(session == nil) })
        }
        // Before the first touch: a publication checks its ids.
        if !slots.isEmpty || builder.findsViews { _ = fileViews }
        Screen.main.bounds = windows.first?.bounds ?? Screen.main.bounds
        tokens = builder.bind(document.on, to: application)
        for (window, page) in zip(windows, current) { window.rootViewController = page }
        for window in windows.reversed() { window.makeKeyAndVisible() }
        let first = current.compactMap { $0 }.filter { !adoptedPages.contains($0.page.name) }
        adoptedPages = []
        changePages {
            for controller in first {
                run(.appeared, of: controller)
                observer?.pageShown(controller.page.name)
            }
        }
        if resumesTalking ?? (application.headphonesHandler != nil && application.hasHeadphones) { talk(true) }
    }

    /// Hides the windows and cancels the touches on them. The pages' `disappeared` handlers do not run.
    package func deactivate() {
        guard isActive else { return }
        for window in windows { window.isHidden = true }
        application.privateView = nil
        // First: no handler of a touch that ends now can turn the talking mode on.
        isActive = false
        talk(false)
        application.inputFilters = []
        (application.headphonesHandler, application.keyHandler) = (nil, nil)
        for token in tokens { application.removeHandler(token) }
        tokens = []
    }

    /// The view with an id; nil if neither the layout nor a publication has one.
    package func view(withIdentifier id: String) -> View? {
        if let view = fileViews[id] { return view }
        for slot in slots.values { if let view = slot.views[id] { return view } }
        return nil
    }

    /// The views with an id, sorted by it.
    package var identifiedViews: [View] { identifiers.sorted().compactMap { view(withIdentifier: $0) } }

    /// The ids of all views.
    var identifiers: [String] { slots.values.reduce(into: Array(fileViews.keys)) { $0 += $1.views.keys } }

    /// The screen with a name; nil means the first. Returns nil if the layout has no such screen.
    package func screen(named name: String?) -> Screen? {
        document.number(ofScreen: name).map { windows[$0].screen }
    }

    /// The name of a responder's screen; nil if the layout has only one screen or the responder has none.
    package func screenName(of responder: Responder?) -> String? {
        guard windows.count > 1 else { return nil }
        var candidate = responder
        while let responder = candidate {
            let window = (responder as? PageController)?.pageWindow ?? responder
            if let number = windows.firstIndex(where: { $0 === window }) { return document.screens[number].name }
            candidate = responder.next
        }
        return nil
    }

    /// Runs the steps for `appeared` or `disappeared` of a page.
    func run(_ trigger: HandlerBinding.Trigger, of controller: PageController) {
        for binding in controller.page.on where binding.trigger == trigger {
            actions.perform(binding.step, HandlerContext(trigger, .page(controller.page.name), at: controller))
        }
    }

    // MARK: Pages

    /// The limit for handlers that go to further pages while one changes.
    private static let pageRequestLimit = 16

    /// The names of the visible pages, in the order of the screens; screens without pages are left out.
    package var currentPages: [String] { current.compactMap { $0?.page.name } }

    /// The page that a screen shows, by the screen's name; nil means the first screen. Returns nil if the screen has no
    /// page.
    package func currentPage(onScreen name: String? = nil) -> String? {
        document.number(ofScreen: name).flatMap { current[$0]?.page.name }
    }

    /// The page that a view is on; nil for a view on every page.
    package func ownPage(of view: View) -> String? {
        let root = view.withSuperviews.first { view in pages.values.contains { $0.view === view } }
        return pages.values.first { $0.view === root }?.page.name
    }

    /// The page of a responder; for a responder on every page, the page that its window shows.
    package func page(of responder: Responder?) -> String? {
        var candidate = responder
        while let responder = candidate {
            if let controller = responder as? PageController { return controller.page.name }
            for (number, window) in windows.enumerated() where window === responder {
                return current[number]?.page.name
            }
            candidate = responder.next
        }
        return nil
    }

    /// The name of a page's screen; nil if there is only one screen.
    package func screenName(ofPage name: String) -> String? { screenName(of: pages[name]?.pageWindow) }

    /// Shows a page on its screen and cancels the touches on the previous page. Then runs the previous page's
    /// `disappeared` and the new page's `appeared`. Does nothing if the page is visible already.
    ///
    /// While pages change, the page is shown after that change, so that each page that has appeared disappears once.
    /// Before `activate()`, only selects the page to show.
    package func go(to name: String) throws(SceneError) {
        let page = try existing(page: name)
        if let requestedPages {
            guard requestedPages.last !== page else { return }
            guard requestedPages.count < Self.pageRequestLimit else { throw .pagesWithoutEnd(last: name) }
            self.requestedPages?.append(page)
        } else {
            changePages { show(page) }
        }
    }

    /// Changes pages, and then shows the pages that handlers asked for meanwhile, in order.
    func changePages(_ change: () -> Void) {
        requestedPages = requestedPages ?? []
        change()
        var number = 0
        while let requestedPages, number < requestedPages.count {
            show(requestedPages[number])
            number += 1
        }
        requestedPages = nil
    }

    private func show(_ page: PageController) {
        // Every page's window belongs to the scene.
        guard let number = windows.firstIndex(where: { $0 === page.pageWindow }), current[number] !== page else {
            return
        }
        let former = current[number]
        current[number] = page
        guard isActive else { return }
        page.pageWindow.rootViewController = page
        if let former {
            run(.disappeared, of: former)
            if former.page.resetsOnLeave { reset(former) }
        }
        run(.appeared, of: page)
        observer?.pageShown(page.page.name)
        session?.pageShown(on: page.pageWindow.screen)
    }

    // MARK: Private views

    /// Whether a point of a screen, in points, is in a visible private view, whichever view receives a touch there.
    ///
    /// A disabled or fully transparent private view counts: a finger on it still shows the positions of its keys. So does a
    /// private slot in which nothing is published.
    package func isPrivate(_ point: CGPoint, on screen: Screen) -> Bool { privateView(at: point, on: screen) != nil }

    private func privateView(at point: CGPoint, on screen: Screen) -> View? {
        // For each moved touch: loops, because a closure of the main actor would check its thread at each view.
        for slot in builder.slots.reversed() {
            for view in slot.privateViews.reversed() where view.isShown(at: point, on: screen) { return view }
        }
        for view in privateViews.reversed() where view.isShown(at: point, on: screen) { return view }
        return nil
    }
}

extension View {
    /// Whether a point of a screen, in points, is in the view, and neither it nor a superview is hidden.
    fileprivate func isShown(at point: CGPoint, on screen: Screen) -> Bool {
        guard window?.screen === screen, self.point(inside: convert(point, from: nil), with: nil) else { return false }
        for view in withSuperviews where view.isHidden { return false }
        return true
    }
}

/// Recognizes a finger that rests, although it trembles. No other gesture prevents it, so the talking mode starts anywhere
/// but on a control that is held to repeat.
private final class RestRecognizer: LongPressGestureRecognizer {
    override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        allowableMovement = 40
        for touch in touches {
            if touch.type == .indirectPointer { return state = .failed }
            if case .repeating? = touch.view?.layoutSpec?.control { return state = .failed }
        }
        super.touchesBegan(touches, with: event)
    }

    override func canBePrevented(by other: GestureRecognizer) -> Bool { false }
    override func canPrevent(_ other: GestureRecognizer) -> Bool { cancelsTouchesInView }
}
