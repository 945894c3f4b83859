import ControlProtocol
import Foundation
import Layout
import TouchKit

/// What touchd tells those who look on, and how it is at the moment.
extension ControlHost {
    /// Begins to tell of each touch event, since somebody subscribed to `inspection`, who is told at once what is down; ends
    /// by itself when nobody is left.
    func inspect() {
        if let inspection = events.inspection { return inspection.tellAnew() }
        let recorder = InspectionRecorder(
            application: events.application, scene: { [unowned self] in layout.scene },
            // As often as a display shows it; a panel of 1 kHz would fill the socket for nobody.
            movesPerSecond: 60, isLive: options.source.isLive
        ) { [unowned self] record in
            guard let server, server.hasSubscribers(to: .inspection) else { return stopInspecting() }
            server.publish(.inspection) { record.json }
        }
        events.inspection = recorder
        recorder.start()
        recorder.tellAnew()
    }

    private func stopInspecting() {
        events.inspection?.stop()
        events.inspection = nil
    }

    /// How the layout at work differs from its file.
    func layoutState() throws(ControlError) -> JSONValue {
        guard let scene = layout.scene else {
            throw ControlError(.unavailable, "this program has no layout with pages and named views")
        }
        return .encoding(LayoutState(scene, path: options.layout, refusal: layout.refusal))
    }

    /// The devices, with what their units mean.
    var deviceStates: JSONValue {
        .encoding(events.devices.map { DeviceState($0) })
    }
}
