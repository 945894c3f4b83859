import ArgumentParser
import CommandSupport
import ControlProtocol

struct Pages: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pages", abstract: "List the pages of the running layout, and which are shown.",
        discussion: "Example: touchd pages --json")

    @Flag(help: "Print JSON, an array of objects.")
    var json = false

    @OptionGroup var control: ControlOptions

    func run() throws {
        try control.run { connection in
            let pages: [PageState] = try connection.answer(to: .listPages)
            if json { return print(pages.jsonText(indented: true)) }
            for page in pages { print(page.summary) }
        }
    }
}

struct Views: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "views",
        abstract: "List the views of the running layout: where they are, hidden, disabled, on or covered.",
        discussion: """
            A view is covered if a touch in its middle goes to another view that is not in it; 'touchd hit --running \
            --explain' says why. Views inside private views are left out.
            """)

    @Flag(help: "Print JSON, an array of objects.")
    var json = false

    @OptionGroup var control: ControlOptions

    func run() throws {
        try control.run { connection in
            let views = try connection.views()
            if json { return print(views.jsonText(indented: true)) }
            for view in views { print(view.summary) }
        }
    }
}
