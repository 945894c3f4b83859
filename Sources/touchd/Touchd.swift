import ArgumentParser
import Basics
import CommandSupport

/// The command line; each subcommand has its own file.
@main
struct Touchd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touchd",
        abstract: "Delivers the touches of a kiosk's screens to handlers, by the rules of iOS.",
        discussion: """
            touchd reads touchscreens and mice, finds the view of a layout that each touch is on, runs the handlers \
            that the layout names, and logs every touch. It draws nothing.

            Start with:
              touchd check /etc/touchd/touchd.yaml    is the layout right?
              touchd devices                          does touchd see the screen?
              touchd run --layout touchd.yaml         touch the screen and watch
              touchd views                            why does a button not react?
              touchd hit 960 540 --explain            which view takes this touch?
              touchd --version --verbose              which packages are linked?
            """,
        version: VersionText.text(components: components),
        // Each writes its name: ArgumentParser would derive it with a regular expression at every start, also of `touchd go`.
        subcommands: [Run.self, ExecPrograms.self, Network.self, Help.self],
        groupedSubcommands: [
            CommandGroup(name: "Layout", subcommands: [Check.self, Hit.self, Render.self, SchemaCommand.self]),
            CommandGroup(name: "Device", subcommands: [Devices.self, Calibrate.self, Record.self, Decode.self]),
            CommandGroup(
                name: "Watching",
                subcommands: [
                    Status.self, Monitor.self, Inspect.self, Pages.self, Views.self, Selftest.self, Report.self,
                    Day.self,
                ]),
            CommandGroup(
                name: "Changing",
                subcommands: [
                    Reload.self,
                    // go, show and hide; enable, disable and toggle; switch-on, switch-off and reset
                    ChangeCommand<0>.self, ChangeCommand<1>.self, ChangeCommand<2>.self,
                    ChangeCommand<3>.self, ChangeCommand<4>.self, ChangeCommand<5>.self,
                    ChangeCommand<6>.self, ChangeCommand<7>.self, ChangeCommand<8>.self, Ignore.self,
                    // accommodate and talk; say and language
                    ChangeCommand<12>.self, ChangeCommand<13>.self, ChangeCommand<9>.self, ChangeCommand<10>.self,
                ]),
        ])
}

extension Touchd {
    static func main() {
        StandardStreams.open()
        let arguments = CommandLine.arguments
        if let word = arguments.dropFirst().first, let problem = Self.problem(ofFirst: word, arguments.dropFirst(2)) {
            exit(withError: ValidationError(problem))
        }
        guard arguments.count == 3, arguments[1] == "--generate-completion-script",
            let shell = CompletionShell(rawValue: arguments[2])
        else { return mainWithArguments() }
        print(Self.completions(for: shell))
    }

    /// What is wrong with a first word that is no command; nil if nothing is. ArgumentParser would only count arguments.
    private static func problem(ofFirst word: String, _ others: ArraySlice<String>) -> String? {
        if word == "--version" {
            return others.first { $0 != "--verbose" }.map { "unexpected argument '\($0)'" }
        }
        let names = configuration.subcommands.map { $0._commandName }
        guard !word.hasPrefix("-"), !names.contains(word) else { return nil }
        let hint =
            switch word {
            case "version": "; touchd --version prints it"
            case "start", "stop", "restart": "; run: systemctl \(word) touchd"
            case let file where file.hasSuffix(".yaml") || file.hasSuffix(".yml"):
                "; did you mean 'touchd check \(file)' or 'touchd run --layout \(file)'?"
            default:
                NearestName.of(word, among: names).map { "; did you mean 'touchd \($0)'?" }
                    ?? "; 'touchd --help' lists all"
            }
        return "there is no command '\(word)'\(hint)"
    }

    /// The script without ArgumentParser's own help command, which it always appends: it would be listed too, and its
    /// function would replace that of `Help`. The first text becomes the second where it occurs last.
    private static func completions(for shell: CompletionShell) -> String {
        let function = ("\n_touchd_help() {", "\n_unused_touchd_help() {")
        let corrections =
            switch shell {
            case .bash: [(" ignore help'", " ignore'"), function]
            case .zsh: [("            'help:Show subcommand help information.'\n", ""), function]
            default:
                [
                    (
                        "\ncomplete -c 'touchd' -n '__touchd_should_offer_completions_for_positional \"touchd\" -eq 1' "
                            + "-fa 'help' -d 'Show subcommand help information.'", ""
                    )
                ]
            }
        return corrections.reduce(into: completionScript(for: shell)) { script, correction in
            if let range = script.ranges(of: correction.0).last { script.replaceSubrange(range, with: correction.1) }
        }
    }
}
