import ControlProtocol
import Foundation
import Layout
import TouchKit

/// What touchd tells those who look on, and how it is at the moment.
extension Daemon {
    /// Begins to tell of each touch event, since somebody subscribed to `inspection`, who is told at once what is down; ends
    /// by itself when nobody is left.
    func inspect() {
        if let inspection { return inspection.tellAnew() }
        let recorder = InspectionRecorder(
            application: application, scene: { [unowned self] in scene },
            // As often as a display shows it; a panel of 1 kHz would fill the socket for nobody.
            movesPerSecond: 60, isLive: options.source.isLive
        ) { [unowned self] record in
            guard let control, control.hasSubscribers(to: .inspection) else { return stopInspecting() }
            control.publish(.inspection) { record.json }
        }
        inspection = recorder
        recorder.start()
        recorder.tellAnew()
    }

    private func stopInspecting() {
        inspection?.stop()
        inspection = nil
    }

    /// How the layout at work differs from its file.
    func layoutState() throws(ControlError) -> JSONValue {
        guard let scene else {
            throw ControlError(.unavailable, "this program has no layout with pages and named views")
        }
        return .encoding(LayoutState(scene, path: options.layout, refusal: refusal))
    }

    /// The devices, with what their units mean.
    var deviceStates: JSONValue {
        let devices = monitor?.devices ?? player.map { [$0.info] } ?? []
        return .encoding(devices.map { DeviceState($0) })
    }
}
