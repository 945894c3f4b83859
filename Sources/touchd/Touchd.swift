import ArgumentParser
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
            """,
        version: VersionText.text(components: components),
        // Each writes its name: ArgumentParser would derive it with a regular expression at every start, also of `touchd go`.
        subcommands: [
            Run.self, Check.self, Devices.self, Decode.self, Record.self, Calibrate.self, Hit.self, Render.self,
            Report.self, Inspect.self, Monitor.self, Status.self, Reload.self, Change<Go>.self, Change<Show>.self,
            Change<Hide>.self, Change<Enable>.self, Change<Disable>.self, Change<Toggle>.self, Change<SwitchOn>.self,
            Change<SwitchOff>.self, Change<Reset>.self, Ignore.self, SelftestCommand.self, SchemaCommand.self,
            ExecPrograms.self, Network.self, Help.self,
        ])
}
