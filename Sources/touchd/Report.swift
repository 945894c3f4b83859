import ArgumentParser
import Basics
import CommandSupport
import ControlProtocol
import EventLoop
import Foundation
import Handlers
import Layout
import Evdev
import Reports
import TouchKit

struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract:
            "Report the touches of one kiosk or of a fleet by view, and the screens with problems, from the journal.",
        discussion: """
            Reads the output of 'journalctl -o export' or 'journalctl -o json', of one kiosk or of many kiosks:
              journalctl -u touchd -o export | touchd report
              journalctl -D /var/log/journal/remote -o export --since yesterday | touchd report --layout touchd.yaml

            For each kiosk and view: touches, taps (lifted within \(TapGestureRecognizer.longestTap) s and \
            \(Int(TapGestureRecognizer.longestDistance)) points), abandoned touches (cancelled, but not by a gesture, or \
            with a layout lifted outside of the view) and unfinished touches (the journal has no end). Then: views never \
            touched, ghost touches (repeated at one point, not by a finger), screens silent for longer than usual, and \
            devices that did not return. The entries of each kiosk must be in the order of journalctl. The layout is that of the kiosks; it adds \
            views never touched and touches lifted outside of their view.
            """)

    @Argument(help: .file("Exported journals (default: - for standard input)."), completion: .file())
    var files: [String] = []

    @Flag(help: "Print JSON, one object.")
    var json = false

    @OptionGroup var layout: LayoutChoice

    @Option(
        help: .file("Also draw the touches on the layout, as 'touchd render --heatmap' does."),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    func validate() throws {
        guard svg == nil || layout.file.ifAny != nil else {
            throw ValidationError("--svg needs a layout; add --layout FILE")
        }
        guard svg?.hasSuffix(".svg") ?? true else {
            throw ValidationError("--svg writes SVG; name the file FILE.svg, and see 'touchd help render' for PNG")
        }
        guard svg != nil || (layout.page == nil && layout.screen == nil) else {
            throw ValidationError("--page and --screen need --svg; add --svg FILE")
        }
    }

    func run() throws {
        try CommandFailure.reporting {
            let place = try layout.file.ifAny.map { _ in try layout.loadAppeared() }
            var fleet = FleetTally(layout: place.map { LayoutZones($0.document) })
            var heatmap = Heatmap()
            do {
                var progress = ProgressLine("entries")
                defer { progress.clear() }
                for file in files.isEmpty ? ["-"] : files {
                    var reader = try JournalRecordReader(path: file)
                    while let record = try reader.next() {
                        progress.add()
                        if fleet.add(record), let place, svg != nil { heatmap.add(record, on: place) }
                    }
                }
            }
            if let place, let svg {
                var drawing = LayoutDrawing(place.document, page: place.page, screen: place.screen)
                drawing.heatmap = heatmap
                try OutputOption.write(drawing.svg(), to: svg)
            }
            let report = fleet.report(now: .now)
            if json { print(report.jsonText(indented: true)) } else { report.writeText { print($0) } }
        }
    }
}

extension JournalError: CommandError, FileContentError {
    package var content: (path: String, kind: FileKind)? {
        if case .malformed(let path, _, _) = self { (path, .journal) } else { nil }
    }

    package var status: Int32 {
        if case .unreadable = self { EX_NOINPUT } else { EX_DATAERR }
    }
}

extension Heatmap {
    /// Counts where touches began on a screen, from a recording or an exported journal.
    ///
    /// A recording is delivered to the layout while it shows that page, and no handler runs. Touches that began in a
    /// private view or on another screen are left out.
    @MainActor
    init(touchesOf path: String, on place: LayoutChoice.ChosenPage) throws {
        self.init()
        do {
            try addRecording(path, on: place)
        } catch RecordingError.notARecording {
            // What was read from a pipe is gone.
            if path == "-", lseek(STDIN_FILENO, 0, SEEK_CUR) < 0 {
                throw UnavailableError("-: error: not a recording; an exported journal needs a file here, not a pipe")
            }
            var reader = try JournalRecordReader(path: path)
            var progress = ProgressLine("entries")
            defer { progress.clear() }
            while let record = try reader.next() {
                progress.add()
                add(record, on: place)
            }
        }
    }

    /// Counts a journal entry if its touch began on that screen while that page was shown.
    mutating func add(_ record: JournalRecord, on place: LayoutChoice.ChosenPage) {
        // Handlers log the facts of a touch too; only its own entry counts.
        guard record["MESSAGE_ID"] == MessageID.touchBegan.rawValue, let location = record.location,
            CGRect(origin: .zero, size: place.screen.size).contains(location)
        else { return }
        if let page = place.page, let touched = record["TOUCHD_PAGE"], touched != page.name { return }
        if let screen = place.screen.name, let touched = record["TOUCHD_SCREEN"], touched != screen { return }
        add(location)
    }

    @MainActor
    private mutating func addRecording(_ path: String, on place: LayoutChoice.ChosenPage) throws {
        let reader = try RecordingReader(path: path), application = Application.shared
        let scene = Scene(place.document) { _, _ in }
        if let page = place.page { try scene.go(to: page.name) }
        let beginnings = Beginnings(in: place.document.screens.firstIndex(of: place.screen).map { scene.windows[$0] })
        scene.activate()
        defer { scene.deactivate() }
        application.observers = [beginnings]
        defer { application.observers = [] }
        let played = application.play(reader, path: path, rules: place.document.devices, on: .main) { device in
            scene.screen(named: device.settings.target) ?? .main
        }
        if let failure = played.failure { throw failure }
        for location in beginnings.locations { add(location) }
    }
}

/// Collects where touches of a window begin, except in private views.
private final class Beginnings: DeliveryObserver {
    private(set) var locations: [CGPoint] = []
    private let window: Window?

    init(in window: Window?) { self.window = window }

    func didDeliver(_ delivery: TouchDelivery) {
        guard delivery.phase == .began, delivery.touch.window === window,
            let location = delivery.touch.reportedLocation
        else { return }
        locations.append(location)
    }
}
