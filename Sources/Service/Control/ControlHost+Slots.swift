import ControlProtocol
import Foundation
import Handlers
import Layout
import Logging
import Outputs

/// The views that clients publish in the layout's slots, as long as their connections last.
extension ControlHost {
    /// The content of a slot.
    struct PublishedViews {
        weak var client: ControlSession?
        var publisher: String
        /// The views, read again with each layout.
        var list: JSONTree
        /// The frames of the views that were moved since, by id.
        var frames: [String: CGRect] = [:]
        /// The slot's frame on its screen when its client last received it.
        var frame: CGRect
    }

    /// The views of a slot, as they were published, and the frames of those that were moved since.
    func publication(in name: String) throws(ControlError) -> [UInt8] {
        let slot = try slot(named: name)
        let views = publishedViews[name]
        return LayoutState.Publication {
            $0.publisher = views.map { slot.publisher ?? $0.publisher }
            $0.frames = (views?.frames ?? [:]).mapValues { Frame($0) }
            // The text was read already, and is not parsed again on the thread that delivers touches.
            $0.views = views?.list ?? JSONTree.emptyList
        }.jsonLine
    }

    func slot(named name: String) throws(ControlError) -> Slot {
        let scene = try scene()
        if let slot = scene.slot(named: name) { return slot }
        let names = scene.allSlots.map(\.name)
        throw ControlError(
            .noSuchSlot,
            "the layout has no slot named '\(name.prefix(80))'; "
                + (names.isEmpty ? "add a view with slot: NAME" : "it has \(names.joined(separator: ", "))"))
    }

    /// Moves and resizes views that a client has published.
    func move(_ frames: [String: CGRect], of client: ControlSession) throws(ControlError) {
        let scene = try scene()
        do throws(SceneError) {
            try scene.move(frames, of: client)
        } catch {
            throw ControlError(ControlError.Code(error), "\(error)")
        }
        let names = publishedViews.compactMap { $0.value.client === client ? $0.key : nil }
        for name in names {
            let own =
                names.count == 1 ? frames : frames.filter { scene.slot(named: name)?.contains($0.key) == true }
            // Most programs move all their views.
            if own.count == scene.slot(named: name)?.identifierCount {
                publishedViews[name]?.frames = own
            } else {
                publishedViews[name]?.frames.merge(own) { $1 }
            }
            report("moved", in: name)
        }
    }

    /// Empties the slots of a client whose connection has ended, and cancels the touches there.
    func withdraw(viewsOf client: ControlSession) {
        cancelPublication(of: client)
        for (name, views) in publishedViews where views.client === client {
            publishedViews[name] = nil
            guard let scene = layout.scene, let slot = scene.slot(named: name), slot.owner === client else { continue }
            scene.empty(slot)
            publications.slices?.signal()
            report("emptied", in: name)
        }
    }

    /// Reports to the subscribers of `inspection` that the views of a slot are other ones or were moved.
    func report(_ change: String, in slot: String) {
        events.subscribers.send(.inspection) { SlotRecord(slot: slot, change: change) }
    }

    func tell(
        _ client: ControlSession, of slot: String, _ change: String, reason: String? = nil, frame: CGRect? = nil
    ) {
        client.send(event: SlotRecord(slot: slot, change: change, reason: reason, frame: frame.map { Frame($0) }).line)
    }
}
