import ControlProtocol
import DequeModule
import EventLoop
import Foundation
import Layout
import Logging
import Outputs

/// The views that clients publish in the layout's slots, as long as their connections last.
///
/// Views are read on another thread and built in slices, between which touches are delivered. One publication is read or
/// built at a time, so that its ids stay unique until the slot has them.
final class SlotHost {
    private struct PublishedViews {
        weak var client: ControlSession?
        var publisher: String
        /// The views, read again with each layout.
        var list: JSONTree
        /// The frames of the views that were moved since, by id.
        var frames: [String: CGRect] = [:]
        /// The slot's frame on its screen when its client last received it.
        var frame: CGRect
        /// The problems of entries that were left out.
        var refusals: [PublicationError.Problem]
    }

    /// A list of views on its way into a slot.
    private struct WaitingViews {
        var slot: String
        var publisher: String
        var views: JSONTree
        var client: ControlSession
        /// Answers the client; nil for views that a new layout gets again.
        var answer: ((Result<[UInt8], ControlError>) -> Void)?
    }

    private let context: DaemonContext
    private let layout: LayoutHost
    private let observers: TouchObservers
    private let subscribers: Subscribers
    private let worker: Worker

    /// The views that clients have published, by slot.
    private var publishedViews: [String: PublishedViews] = [:]
    /// The lists that are not in their slots yet, in the order in which they came; the first is being read or built.
    private var waiting: Deque<WaitingViews> = []
    /// The first one's views, once they are read.
    private var build: SlotBuild?
    /// Counts what was given to the worker; the result of an earlier reading is ignored.
    private var reading = 0
    /// Builds and frees views, one slice in each pass.
    private lazy var slices = context.loop.add(
        SignalledSource(name: "publications", order: 30) { [weak self] in self?.performSlice() })

    /// Begins a slice; returns whether it has time left. Touches wait for at most one slice of 0.25 ms.
    var beginSlice: () -> () -> Bool = {
        let end = Deadline.after(.microseconds(250))
        return { !end.isPast }
    }
    /// Called with whether requests should wait, because the slots of a new layout do not have their views yet.
    var holdRequests: (Bool) -> Void = { _ in }

    init(
        _ context: DaemonContext, layout: LayoutHost, observers: TouchObservers, subscribers: Subscribers,
        worker: Worker
    ) {
        (self.context, self.layout, self.observers) = (context, layout, observers)
        (self.subscribers, self.worker) = (subscribers, worker)
    }

    /// Whether no client has published views.
    var isEmpty: Bool { publishedViews.isEmpty }

    /// Whether no views are on their way into a slot.
    var isIdle: Bool { waiting.isEmpty && build == nil }

    /// Builds and frees nothing any more.
    func close() { slices.invalidate() }

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

    private func slot(named name: String) throws(ControlError) -> Slot {
        let scene = try layout.requiredScene()
        if let slot = scene.slot(named: name) { return slot }
        let names = scene.allSlots.map(\.name)
        throw ControlError(
            .noSuchSlot,
            "the layout has no slot named '\(name.prefix(80))'; "
                + (names.isEmpty ? "add a view with slot: NAME" : "it has \(names.joined(separator: ", "))"))
    }

    func move(_ frames: [String: CGRect], of client: ControlSession) throws(ControlError) {
        let scene = try layout.requiredScene()
        do throws(SceneError) {
            try scene.move(frames, of: client)
        } catch {
            throw ControlError(ControlError.Code(error), "\(error)")
        }
        let names = publishedViews.filter { $0.value.client === client }.keys.sorted()
        for name in names {
            let own =
                names.count == 1 ? frames : frames.filter { scene.slot(named: name)?.contains($0.key) == true }
            // Most programs move all their views.
            if own.count == scene.slot(named: name)?.identifierCount {
                publishedViews[name]?.frames = own
            } else {
                publishedViews[name]?.frames.merge(own) { $1 }
            }
            report(.moved, in: name)
        }
    }

    /// Empties the slots of a client whose connection has ended, and cancels the touches there.
    func withdraw(viewsOf client: ControlSession) {
        cancelPublication(of: client)
        for (name, views) in publishedViews.sorted(by: { $0.key < $1.key }) where views.client === client {
            publishedViews[name] = nil
            guard let scene = layout.scene, let slot = scene.slot(named: name), slot.owner === client else { continue }
            scene.empty(slot)
            slices.signal()
            report(.emptied, in: name)
        }
    }

    /// Reports to the subscribers of `inspection` that the views of a slot are other ones or were moved.
    private func report(_ change: SlotRecord.Change, in slot: String) {
        subscribers.send(.inspection) { SlotRecord(slot: slot, change: change) }
    }

    private func tell(
        _ client: ControlSession, of slot: String, _ change: SlotRecord.Change, reason: String? = nil,
        frame: CGRect? = nil
    ) {
        client.send(event: SlotRecord(slot: slot, change: change, reason: reason, frame: frame.map { Frame($0) }).line)
    }

    // MARK: Publishing

    /// Publishes views in a slot, and answers when the slot has them. Another client that has published there loses the
    /// slot.
    func publish(
        _ views: JSONTree, in name: String, by publisher: String?, for client: ControlSession
    ) throws(ControlError) {
        if let index = waiting.dropFirst().firstIndex(where: { $0.client === client && $0.answer != nil }) {
            waiting.remove(at: index).answer?(
                .failure(
                    ControlError(.replaced, "a newer list of views for slot '\(name)' came before this one was read")))
        }
        _ = try slot(named: name)
        waiting.append(
            .init(
                slot: name, publisher: publisher ?? client.peerName, views: views, client: client,
                answer: client.answerLater()))
        if waiting.count == 1 { readNext() }
    }

    /// Whether a request is a newer list for the slot of the client's publication that is not being read yet.
    func isReplaced(by request: ControlRequest, _ client: ControlSession) -> Bool {
        guard case .views(let slot, _, _) = request else { return false }
        return waiting.dropFirst().contains {
            $0.client === client && $0.slot == slot && $0.answer != nil
        }
    }

    /// Drops the publications of a client whose connection has ended.
    private func cancelPublication(of client: ControlSession) {
        let isFirst = waiting.first?.client === client
        for publication in waiting where publication.client === client && publication.answer == nil {
            layout.scene?.slot(named: publication.slot)?.isAwaited = false
        }
        waiting.removeAll { $0.client === client }
        if isFirst { readNext() }
        updateHold()
    }

    /// Publishes the clients' views again, in the slots of a new layout. Requests wait until then.
    func publishAgain() {
        waiting.removeAll { $0.answer == nil }
        for (name, views) in publishedViews.sorted(by: { $0.key > $1.key }) {
            guard let client = views.client else { continue }
            layout.scene?.slot(named: name)?.isAwaited = true
            waiting.prepend(
                .init(slot: name, publisher: views.publisher, views: views.list, client: client, answer: nil))
        }
        updateHold()
        readNext()
    }

    private func updateHold() { holdRequests(waiting.contains { $0.answer == nil }) }

    // MARK: Reading and building

    /// Begins with the first publication, from the start.
    private func readNext() {
        build?.cancel()
        build = nil
        reading += 1
        slices.signal()
        guard let first = waiting.first else { return }
        let place: SlotPlace, isOwner: Bool
        do throws(ControlError) {
            let slot = try slot(named: first.slot)
            isOwner = slot.owner === first.client
            place = try layout.requiredScene().place(of: slot, for: first.client)
        } catch {
            return end(.failure(error))
        }
        let (views, reading) = (first.views, reading)
        let published = publishedViews[first.slot].flatMap { isOwner && $0.frames.isEmpty ? $0.list : nil }
        worker.perform({ () -> Result<Publication?, PublicationError> in
            // The same list again changes nothing.
            if published == views { return .success(nil) }
            do throws(PublicationError) {
                return .success(try Publication(views, in: place))
            } catch {
                return .failure(error)
            }
        }) { [weak self] result in
            guard let self, reading == self.reading else { return }
            didRead(result)
        }
    }

    private func didRead(_ result: Result<Publication?, PublicationError>) {
        guard let first = waiting.first, let scene = layout.scene,
            let slot = scene.slot(named: first.slot)
        else { return }
        switch result {
        case .failure(let error): end(.failure(ControlError(error)))
        case .success(nil):
            if slot.publisher != first.publisher { report(.published, in: first.slot) }
            slot.publisher = first.publisher
            publishedViews[first.slot]?.publisher = first.publisher
            end(.success(slot))
        case .success(let publication?):
            build = SlotBuild(publication, in: slot, of: scene, by: first.publisher, owner: first.client)
            slices.signal()
        }
    }

    /// Builds or frees some views.
    private func performSlice() {
        // The loop performs sources that have waited first; touches come before them.
        if context.application.queuedFrameCount > 0 { return slices.signal() }
        let hasTime = beginSlice()
        if let build {
            do throws(PublicationError) {
                if try build.proceed(while: hasTime) { didPublish() }
            } catch {
                self.build = nil
                end(.failure(ControlError(error)))
            }
        } else {
            layout.scene?.discarded.free(while: hasTime)
        }
        if build != nil || layout.scene?.discarded.isEmpty == false { slices.signal() }
    }

    /// Takes note that the slot has the views of the first publication.
    private func didPublish() {
        guard let first = waiting.first, let scene = layout.scene,
            let slot = scene.slot(named: first.slot)
        else { return }
        let former = publishedViews[first.slot]
        if first.answer == nil, let former {
            // Only views of the same text were moved.
            try? scene.move(former.frames, of: first.client)
            publishedViews[first.slot]?.frame = slot.frame
            if slot.frame != former.frame { tell(first.client, of: first.slot, .resized, frame: slot.frame) }
        } else {
            publishedViews[first.slot] = PublishedViews(
                client: first.client, publisher: first.publisher, list: first.views, frame: slot.frame,
                refusals: build?.refusals ?? [])
            if let client = former?.client, client !== first.client { tell(client, of: first.slot, .taken) }
            report(.published, in: first.slot)
        }
        observers.inspection?.reportChanges()
        end(.success(slot))
    }

    /// Ends the first publication and begins with the next one.
    private func end(_ result: Result<Slot, ControlError>) {
        build = nil
        guard let first = waiting.popFirst() else { return }
        if first.answer == nil { layout.scene?.slot(named: first.slot)?.isAwaited = false }
        if let answer = first.answer {
            answer(
                result.map {
                    var state = LayoutState.Slot($0)
                    let refusals = publishedViews[first.slot]?.refusals ?? []
                    state.refused = refusals.isEmpty ? nil : refusals
                    return state.jsonLine
                })
        } else if case .failure(let error) = result {
            publishedViews[first.slot] = nil
            context.logger.warning("slot '\(first.slot)' is empty after the reload: \(error)")
            tell(first.client, of: first.slot, .emptied, reason: error.description)
        }
        updateHold()
        readNext()
    }
}
