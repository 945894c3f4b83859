import Recordings
import ControlProtocol
import EventLoop
import Foundation
import Handlers
import Layout
import Reports
import TouchKit

extension Heatmap {
    /// Counts where touches began on a screen, from a recording or an exported journal.
    ///
    /// A recording is delivered to the layout while it shows that page, and no handler runs. Touches that began in a
    /// private view or on another screen are left out.
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
            add(record, on: place)
        }
    }

    /// Counts a journal entry if its touch began on that screen while that page was shown.
    mutating func add(_ record: JournalRecord, on place: LayoutChoice.Place) {
        // Handlers log the facts of a touch too; only its own entry counts.
        guard record["MESSAGE_ID"] == MessageID.touchBegan.rawValue, let location = record.location,
            CGRect(origin: .zero, size: place.screen.size).contains(location)
        else { return }
        if let page = place.page, let touched = record["TOUCHD_PAGE"], touched != page.name { return }
        if let screen = place.screen.name, let touched = record["TOUCHD_SCREEN"], touched != screen { return }
        add(location)
    }

    @MainActor
    private mutating func addRecording(_ path: String, on place: LayoutChoice.Place) throws {
        let replay = try LayoutReplay(place.document, page: place.page?.name)
        let window = replay.window(of: place.screen)
        let beginnings = Beginnings(in: window)
        try replay.run(path, observer: beginnings)
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
