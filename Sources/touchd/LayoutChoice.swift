import ArgumentParser
import CommandSupport
import Foundation
import Handlers
import Layout
import Reports

/// The options of commands that look at one screen of a layout.
struct LayoutChoice: ParsableArguments {
    @Option(
        name: [.customShort("l"), .long], help: ArgumentHelp("The layout.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var layout = Run.installedLayout

    @Option(name: [.customShort("p"), .long], help: "The page (default: the screen's first page).")
    var page: String?

    @Option(help: "The screen, if the layout has several (default: the page's screen, or the first).")
    var screen: String?

    /// One screen of a layout with one of its pages.
    struct Place {
        var document: LayoutDocument
        var page: PageSpec?
        var screen: ScreenSpec
    }

    /// Loads the layout and finds the selected screen and page.
    func load() throws -> Place {
        let document = try LayoutDocument(path: layout, handlers: HandlerRegistry.builtinNames)
        var screen = document.screens[0]
        if let name = self.screen {
            let names = document.screens.compactMap(\.name)
            guard let found = document.screens.first(where: { $0.name == name }) else {
                throw Unknown(kind: "screen", name: name, known: names, layout: layout)
            }
            screen = found
        }
        guard let name = page else {
            return Place(document: document, page: document.pages(on: screen).first, screen: screen)
        }
        guard let page = document.pages.first(where: { $0.name == name }) else {
            throw Unknown(kind: "page", name: name, known: document.pages.map(\.name), layout: layout)
        }
        guard let home = document.screens.first(where: { document.pages(on: $0).contains(page) }) else {
            preconditionFailure("the layout was checked, so its pages are on screens that exist")
        }
        guard self.screen == nil || home == screen else {
            throw Unknown(
                kind: "page", name: name, known: document.pages(on: screen).map(\.name), layout: layout,
                screen: self.screen)
        }
        return Place(document: document, page: page, screen: home)
    }

    /// A name that the layout does not have.
    struct Unknown: CommandError, CustomStringConvertible {
        let kind: String
        let name: String
        let known: [String]
        let layout: String
        /// The selected screen, if a page was looked up.
        var screen: String?
        var status: Int32 { EX_USAGE }

        var description: String {
            let list =
                if !known.isEmpty {
                    "its \(kind)s are \(known.joined(separator: ", "))"
                } else if kind == "screen" {
                    "its screens have no names"
                } else {
                    "it has no \(kind)s"
                }
            return "error: \(layout) has no \(kind) '\(name)'\(screen.map { " on screen '\($0)'" } ?? ""); \(list)"
        }
    }
}
