import ArgumentParser
import CommandSupport
import Foundation
import Layout
import Reports

/// `touchd report`.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what a journal has of one kiosk or of a fleet: touches by zone, and which screens to look at.",
        discussion: """
            Reads what 'journalctl -o export' or 'journalctl -o json' wrote, of one kiosk or merged of many:
              journalctl -u touchd -o export | touchd report
              journalctl -D /var/log/journal/remote -o export --since yesterday | touchd report --layout touchd.yaml

            For each kiosk and view: touches, taps (lifted within 0.75 s and 45 points), abandoned touches (cancelled, \
            or with --layout lifted outside of the view), unfinished ones (their end is not in the journal). Then zones \
            never touched, touches at one spot that no finger made, screens silent for longer than usual, and devices \
            that did not come back. Entries of a kiosk have to come in their order, as journalctl writes them.
            """)

    @Argument(
        help: ArgumentHelp("Exported journals; without one, or for -, standard input.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Flag(help: "Write JSON, one object.")
    var json = false

    @Option(
        name: [.customShort("l"), .long],
        help: ArgumentHelp(
            "The layout of the kiosks: tells zones never touched and touches lifted outside.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var layout: String?

    @Option(
        help: ArgumentHelp(
            "Draw where the layout was touched, too; a picture as of 'touchd render'.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    @Option(name: [.customShort("p"), .long], help: "The page that is drawn; without it, the screen's first.")
    var page: String?

    @Option(help: "The screen that is drawn; without it, the page's, or the first.")
    var screen: String?

    func validate() throws {
        guard svg == nil || layout != nil else {
            throw ValidationError("--svg draws touches on a layout; add --layout FILE")
        }
        guard svg != nil || (page == nil && screen == nil) else {
            throw ValidationError("--page and --screen say what --svg draws; add --svg FILE")
        }
    }

    func run() throws {
        do {
            let place = try layout.map { try choice(of: $0).load() }
            var fleet = FleetTally(layout: place.map { LayoutZones($0.document) })
            var heatmap = Heatmap()
            for file in files.isEmpty ? ["-"] : files {
                var reader = try JournalRecordReader(path: file)
                while let record = try reader.next() {
                    fleet.add(record)
                    if let place, svg != nil { heatmap.add(record, on: place) }
                }
            }
            if let place, let svg {
                var drawing = LayoutDrawing(place.document, page: place.page, screen: place.screen)
                drawing.heatmap = heatmap
                try PictureFile.write(drawing.svg(), to: svg)
            }
            try write(fleet.report(now: .now))
        } catch {
            throw Failure.report(error)
        }
    }

    private func choice(of layout: String) -> LayoutChoice {
        var choice = LayoutChoice()
        choice.layout = layout
        choice.page = page
        choice.screen = screen
        return choice
    }

    private func write(_ report: FleetReport) throws {
        guard json else { return report.writeText { print($0) } }
        print(try report.jsonText)
    }
}
