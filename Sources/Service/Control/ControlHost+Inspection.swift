import ControlProtocol
import Foundation
import Handlers
import Layout
import Outputs
import TouchKit

/// Reports inspection events and the current state to clients of the control socket.
extension ControlHost {
    /// Starts to report touch events to the subscribers of `inspection`. A new subscriber first receives the touches
    /// that are down. Reporting stops when the last subscriber leaves.
    func inspect() {
        if let inspection = events.inspection { return inspection.sendSnapshot() }
        let recorder = InspectionRecorder(
            application: events.application, scene: { [unowned self] in layout.scene },
            // A display's refresh rate. A 1 kHz panel would fill the socket with moves that no client can show.
            movesPerSecond: 60, isLive: options.source.isLive
        ) { [unowned self] record in
            guard events.subscribers.contains(.inspection) else { return events.inspection = nil }
            events.subscribers.send(.inspection) { record }
        }
        events.inspection = recorder
        recorder.sendSnapshot()
    }

    /// How the current layout differs from its file.
    func layoutState() throws(ControlError) -> [UInt8] {
        LayoutState(try scene(), path: options.layout, refusal: layout.refusal).jsonLine
    }

    /// The devices and the units of their axes.
    var deviceStates: [UInt8] {
        events.devices.map { device in
            var state = DeviceState(device)
            let forwarding = events.forwardingState(of: device)
            (state.forward, state.forwardRemark) = (forwarding?.node, forwarding?.remark)
            return state
        }
        .jsonLine
    }
}
