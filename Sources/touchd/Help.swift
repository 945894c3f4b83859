import ArgumentParser
import Basics
import Layout

/// `touchd help`; it explains the keys of layouts too, while ArgumentParser's knows only commands.
struct Help: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Show the help of a command, or explain a key of layouts.")

    @Argument(
        help: ArgumentHelp("A command, exit-status, a key, a section, or a key with its section.", valueName: "name"),
        completion: .custom { _, _, start in
            commands.map { $0._commandName } + [ExitStatus.topic] + LayoutVocabulary().names(for: start)
        })
    var name: String?

    @Flag(help: ArgumentHelp("Print the keys of a section as a table in Markdown.", visibility: .private))
    var markdown = false

    private static var commands: [any ParsableCommand.Type] { Touchd.configuration.subcommands }

    func run() throws {
        var layout = LayoutVocabulary()
        let columns = Terminal.columns
        layout.columns = columns
        guard let name else {
            let words = """
                'touchd help \(ExitStatus.topic)' explains the exit statuses.
                Keys of a layout, which 'touchd help <section>' and 'touchd help <key>' explain:
                """
            print(Touchd.fitted { Touchd.helpMessage(columns: $0) } + "\n\n" + words.folded(to: columns))
            return print(layout.sections, terminator: "")
        }
        let command = markdown ? nil : Self.commands.first { $0._commandName == name }
        if name == ExitStatus.topic { return print(ExitStatus.text.folded(to: columns), terminator: "") }
        let key = markdown ? layout.markdown(name) : layout.help(name)
        if let command {
            print(Touchd.fitted { Touchd.helpMessage(for: command, columns: $0) } + (key == nil ? "" : "\n"))
        }
        if let key { print(key, terminator: "") }
        guard command == nil, key == nil else { return }
        let hint = layout.suggestion(for: name, among: Self.commands.map { $0._commandName } + [ExitStatus.topic])
        throw ValidationError("there is no command or key '\(name)'\(hint)")
    }
}
