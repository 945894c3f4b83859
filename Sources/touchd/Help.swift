import ArgumentParser
import Layout

extension Touchd {
    /// Runs a command; `touchd help` explains the keys of layouts too, while ArgumentParser's knows only commands.
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let name = arguments.dropFirst().first
        guard arguments.first == "help", arguments.count <= 2, name != "help", name?.hasPrefix("-") != true else {
            return main(nil)
        }
        let layout = LayoutVocabulary()
        guard let name else {
            let words = "Keys of a layout, which 'touchd help <section>' and 'touchd help <key>' explain:"
            return print("\(helpMessage(columns: 80))\n\n\(words)\n\(layout.sections)", terminator: "")
        }
        let commands: [any ParsableCommand.Type] = configuration.subcommands
        let command = commands.first { $0._commandName == name }
        let key = layout.help(name)
        if let command { print(helpMessage(for: command, columns: 80) + (key == nil ? "" : "\n")) }
        if let key { print(key, terminator: "") }
        guard command == nil, key == nil else { return }
        let hint = layout.suggestion(for: name, among: commands.map { $0._commandName })
        exit(withError: ValidationError("there is no command or key '\(name)'\(hint)"))
    }
}
