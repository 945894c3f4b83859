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
        /// The views as JSON, read again with each layout.
        var text: [UInt8]
        /// The slot's frame on its screen when its client last received it.
        var frame: CGRect
    }

    /// Replaces the views of a slot. Another client that has published there loses the slot.
    func publish(
        _ views: [UInt8], in name: String, by publisher: String?, for client: ControlSession
    ) throws(ControlError) -> JSONValue {
        let scene = try scene()
        guard let slot = scene.slot(named: name) else {
            let names = scene.allSlots.map(\.name)
            throw ControlError(
                .noSuchSlot,
                "the layout has no slot named '\(name.prefix(80))'; "
                    + (names.isEmpty ? "add a view with slot: NAME" : "it has \(names.joined(separator: ", "))"))
        }
        let publisher = publisher ?? client.peerName
        let former = slot.owner as? ControlSession
        do throws(PublicationError) {
            try scene.publish(views, in: slot, by: publisher, owner: client)
        } catch {
            throw ControlError(error)
        }
        publishedViews[name] = PublishedViews(client: client, publisher: publisher, text: views, frame: slot.frame)
        if let former, former !== client { tell(former, of: name, "taken") }
        events.inspection?.reportChanges()
        return .encoding(LayoutState.Slot(slot))
    }

    /// Moves and resizes views that a client has published.
    func move(_ frames: [String: CGRect], of client: ControlSession) throws(ControlError) {
        let scene = try scene()
        do throws(SceneError) {
            try scene.move(frames, of: client)
        } catch {
            throw ControlError(ControlError.Code(error), "\(error)")
        }
    }

    /// Empties the slots of a client whose connection has ended, and cancels the touches there.
    func withdraw(viewsOf client: ControlSession) {
        for (name, views) in publishedViews where views.client === client {
            publishedViews[name] = nil
            guard let scene = layout.scene, let slot = scene.slot(named: name), slot.owner === client else { continue }
            scene.empty(slot)
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
                    try scene.publish(views.text, in: slot, by: views.publisher, owner: client)
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

    private func tell(
        _ client: ControlSession, of slot: String, _ change: String, reason: String? = nil, frame: CGRect? = nil
    ) {
        let reason = reason.map { ", \"reason\": \(JSONText.quoted($0))" } ?? ""
        let frame = frame.map { frame in
            ", \"x\": \(frame.minX), \"y\": \(frame.minY), \"width\": \(frame.width), \"height\": \(frame.height)"
        }
        client.send(
            event: ControlServer.bytes(
                "{\"event\": \"slot\", \"slot\": \(JSONText.quoted(slot)), \"change\": \"\(change)\"\(reason)\(frame ?? "")}"
            ))
    }
}
