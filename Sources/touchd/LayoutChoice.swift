import ArgumentParser
import CommandSupport
import Evdev
import EventLoop
import Foundation
import Handlers
import Layout
import Logging
import Reports
import TouchKit

/// The options of commands that look at one screen of a layout.
struct LayoutChoice: ParsableArguments {
    @OptionGroup var file: LayoutOption

    @Option(
        name: [.customShort("p"), .long], help: "The page (default: the screen's first page).",
        completion: NameCompletion.ofLayout { $0.pages.map(\.name) })
    var page: String?

    @Option(
        help: "The screen, if the layout has several (default: the page's screen, or the first).",
        completion: NameCompletion.ofLayout { $0.screens.compactMap(\.name) })
    var screen: String?

    /// One screen of a layout with one of its pages.
    struct ChosenPage {
        var document: LayoutDocument
        var page: PageSpec?
        var screen: ScreenSpec
    }

    /// Loads the layout as it is after the `appeared` handlers of its pages.
    func loadAppeared() throws -> ChosenPage {
        let place = try load()
        return try MainActor.assumeIsolated { try place.afterAppearing(keepingPage: page != nil) }
    }

    /// Loads the layout and finds the selected screen and page.
    func load() throws -> ChosenPage {
        let document = try LayoutDocument(path: file.path, handlers: HandlerRegistry.builtinNames)
        var screen = document.screens[0]
        if let name = self.screen {
            guard let found = document.screens.first(where: { $0.name == name }) else {
                throw error(document.unknown(screen: name))
            }
            screen = found
        }
        guard let name = page else {
            return ChosenPage(document: document, page: document.pages(on: screen).first, screen: screen)
        }
        guard let page = document.pages.first(where: { $0.name == name }) else {
            throw error(UnknownName(.page, name, known: document.pages.map(\.name)))
        }
        guard let home = document.screens.first(where: { document.pages(on: $0).contains(page) }) else {
            preconditionFailure("the layout was checked, so its pages are on screens that exist")
        }
        guard self.screen == nil || home == screen else {
            throw error(
                UnknownName(.page, name, known: document.pages(on: screen).map(\.name), on: self.screen))
        }
        return ChosenPage(document: document, page: page, screen: home)
    }

    private func error(_ name: UnknownName) -> UnavailableError {
        UnavailableError("\(file.path): error: \(name)", status: EX_USAGE)
    }
}

extension LayoutOption {
    /// Loads the layout's device rules, as the service has them, followed by those for touchd's own devices.
    func deviceRules() throws -> [DeviceRule] {
        let document = try ifAny.map { try LayoutDocument(path: $0, handlers: HandlerRegistry.builtinNames) }
        return (document?.devices ?? []) + VirtualDevice.deviceRules
    }
}

extension LayoutChoice.ChosenPage {
    /// The layout after the `appeared` handlers of its pages: the views that they show, hide, enable and disable, and,
    /// without a chosen page, the page to which they go. No program is started, nothing is sent.
    @MainActor
    fileprivate func afterAppearing(keepingPage isPageChosen: Bool) throws -> Self {
        let application = Application()
        let runner = HandlerRunner(
            registry: HandlerRegistry(), application: application, loop: .main,
            logger: Logger(label: "appearing") { _ in SwiftLogNoOpLogHandler() }, deviceName: { _ in "" })
        runner.isRehearsal = true
        runner.define(document.handlers)
        let scene = Scene(document, application: application) { step, context in runner.perform(step, for: context) }
        runner.scene = scene
        if isPageChosen, let page { try scene.go(to: page.name) }
        scene.activate()
        let changes = Dictionary(scene.changedViews.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let current = isPageChosen ? page?.name : scene.currentPage(onScreen: screen.name)
        scene.deactivate()
        runner.close()
        var place = self
        place.document.forEachView { view in
            guard let change = view.id.flatMap({ changes[$0] }) else { return }
            (view.isHidden, view.isEnabled) = (change.isHidden, change.isEnabled)
        }
        place.page = place.document.pages.first { $0.name == current }
        return place
    }
}
