import ControlProtocol
import Foundation
import Handlers
import Layout
import Logging

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

    /// Replaces the views of a slot. Another client that has published there loses the slot.
    func publish(
        _ views: JSONTree, in name: String, by publisher: String?, for client: ControlSession
    ) throws(ControlError) -> [UInt8] {
        let (scene, slot) = (try scene(), try slot(named: name))
        let publisher = publisher ?? client.peerName
        let former = slot.owner as? ControlSession
        do throws(PublicationError) {
            try scene.publish(views, in: slot, by: publisher, owner: client)
        } catch {
            throw ControlError(error)
        }
        publishedViews[name] = PublishedViews(client: client, publisher: publisher, list: views, frame: slot.frame)
        if let former, former !== client { tell(former, of: name, "taken") }
        events.inspection?.reportChanges()
        report("published", in: name)
        return LayoutState.Slot(slot).jsonLine
    }

    /// The views of a slot, as they were published, and the frames of those that were moved since.
    func publication(in name: String) throws(ControlError) -> [UInt8] {
        let slot = try slot(named: name)
        let views = publishedViews[name]
        return LayoutState.Publication {
            $0.publisher = views.map { slot.publisher ?? $0.publisher }
            $0.frames = (views?.frames ?? [:]).mapValues { Frame($0) }
            // The text was read already, and is not parsed again on the thread that delivers touches.
            $0.views = views?.list ?? Self.noViews
        }.jsonLine
    }

    private static let noViews = try? JSONTree("[]".utf8)

    private func slot(named name: String) throws(ControlError) -> Slot {
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
        for (id, frame) in frames {
            guard let slot = scene.slot(of: scene.view(withIdentifier: id)) else { continue }
            publishedViews[slot.name]?.frames[id] = frame
        }
        for (name, views) in publishedViews where views.client === client { report("moved", in: name) }
    }

    /// Empties the slots of a client whose connection has ended, and cancels the touches there.
    func withdraw(viewsOf client: ControlSession) {
        for (name, views) in publishedViews where views.client === client {
            publishedViews[name] = nil
            guard let scene = layout.scene, let slot = scene.slot(named: name), slot.owner === client else { continue }
            scene.empty(slot)
            report("emptied", in: name)
        }
    }

    /// Publishes the clients' views again, in the slots of a new layout.
    func publishAgain() {
        guard !publishedViews.isEmpty else { return }
        for (name, views) in publishedViews {
            guard let client = views.client, let scene = layout.scene else { continue }
            var reason = "the layout has no slot named '\(name)' any more"
            if let slot = scene.slot(named: name) {
                do throws(PublicationError) {
                    try scene.publish(views.list, in: slot, by: views.publisher, owner: client)
                    // Only views of the same text were moved.
                    try? scene.move(views.frames, of: client)
                    publishedViews[name]?.frame = slot.frame
                    if slot.frame != views.frame { tell(client, of: name, "resized", frame: slot.frame) }
                    continue
                } catch {
                    reason = error.description
                }
            }
            publishedViews[name] = nil
            logger.warning("slot '\(name)' is empty after the reload: \(reason)")
            tell(client, of: name, "emptied", reason: reason)
        }
    }

    /// Reports to the subscribers of `inspection` that the views of a slot are other ones or were moved.
    private func report(_ change: String, in slot: String) {
        server?.publish(.inspection) { SlotRecord(slot: slot, change: change) }
    }

    private func tell(
        _ client: ControlSession, of slot: String, _ change: String, reason: String? = nil, frame: CGRect? = nil
    ) {
        client.send(event: SlotRecord(slot: slot, change: change, reason: reason, frame: frame.map { Frame($0) }).line)
    }
}
