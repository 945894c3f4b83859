import Evdev
import EventLoop
import Foundation
import Layout
import Reports
import TouchKit

extension Heatmap {
    /// Counts where touches began on a screen, of a recording or of an exported journal.
    ///
    /// A recording is delivered to the layout, of which no handler runs; its device has to be one of that screen.
    @MainActor
    init(touchesOf path: String, on place: LayoutChoice.Place) throws {
        self.init()
        do {
            try addRecording(path, on: place)
        } catch RecordingError.notARecording {
            try addJournal(path, on: place)
        }
    }

    private mutating func addJournal(_ path: String, on place: LayoutChoice.Place) throws {
        var reader = try JournalRecordReader(path: path)
        while let record = try reader.next() {
            guard record["TOUCHD_PHASE"] == "began", let location = record.location else { continue }
            if let page = place.page, let touched = record["TOUCHD_PAGE"], touched != page.name { continue }
            if let screen = place.screen.name, let touched = record["TOUCHD_SCREEN"], touched != screen { continue }
            add(location)
        }
    }

    @MainActor
    private mutating func addRecording(_ path: String, on place: LayoutChoice.Place) throws {
        let replay = LayoutReplay(place.document)
        var locations: [CGPoint] = []
        try replay.run(path) { delivery in
            guard delivery.phase == .began else { return }
            locations.append(delivery.touch.location(in: nil))
        }
        for location in locations { add(location) }
    }
}
