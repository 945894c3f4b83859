import ControlProtocol

/// Writes touches, gestures and pages as entries in the systemd journal, one field per fact.
package final class TouchJournal: TouchListener {
    private let sender: JournalSender
    private var hasTouches = true
    private var moves = MoveSampler(perSecond: 0)
    private var entry = JournalEntry()

    package init(_ sender: JournalSender) { self.sender = sender }

    /// Applies a layout's `journal:`. Call it while no touch is down, so that each touch is written completely or not at
    /// all.
    ///
    /// - Parameters:
    ///   - hasTouches: Whether touches and gestures are written.
    ///   - rate: The maximum number of moves per touch and second.
    package func follow(hasTouches: Bool, movesPerSecond rate: Int) {
        self.hasTouches = hasTouches
        moves = MoveSampler(perSecond: rate)
    }

    package func wants(_ header: EventHeader) -> Bool {
        switch header.kind {
        case .touch: hasTouches && (!header.isStep || moves.accepts(touch: header.touch, at: header.time))
        // Gestures consist of touches. An entry for each step of a pinch would hide all others.
        case .gesture: hasTouches && !header.isStep
        case .page: true
        case .control, .idle, .published, .accessibility: false
        }
    }

    package func note(_ event: OutputEvent) {
        switch event.content {
        case .touch(let touch): write(touch)
        case .gesture(let gesture): write(gesture)
        case .page(let page): write(page)
        case .control, .idle, .published, .accessibility: break
        }
    }

    private func write(_ touch: TouchRecord) {
        guard let identity = MessageID(touch.phase) else { return }
        if touch.phase.isLast { moves.forget(touch: touch.touch) }
        entry.begin(identity: identity)
        entry.open("MESSAGE")
        entry.append("touch ")
        entry.append(touch.touch)
        entry.append(" ")
        entry.append(touch.phase.rawValue)
        entry.append(" on ")
        entry.append(touch.view ?? "no view")
        if let x = touch.x, let y = touch.y {
            entry.append(" at (")
            entry.append(position: x)
            entry.append(", ")
            entry.append(position: y)
            entry.append(")")
        }
        entry.close()
        entry.open("TOUCHD_TOUCH")
        entry.append(touch.touch)
        entry.close()
        entry.add("TOUCHD_PHASE", touch.phase.rawValue)
        entry.add("TOUCHD_VIEW", touch.view ?? "")
        if let page = touch.page { entry.add("TOUCHD_PAGE", page) }
        if let screen = touch.screen { entry.add("TOUCHD_SCREEN", screen) }
        if let x = touch.x, let y = touch.y {
            entry.open("TOUCHD_X")
            entry.append(position: x)
            entry.close()
            entry.open("TOUCHD_Y")
            entry.append(position: y)
            entry.close()
        }
        entry.add("TOUCHD_DEVICE", touch.device)
        add(touch.time)
        for handler in touch.handlers { entry.add("TOUCHD_HANDLER", handler) }
        sender.send(entry)
    }

    private func write(_ gesture: GestureRecord) {
        entry.begin(
            message: "gesture \(gesture.name) \(gesture.trigger.rawValue) on \(gesture.view ?? "no view")", priority: 6,
            identity: .gestureRecognized)
        entry.add("TOUCHD_GESTURE", gesture.name)
        entry.add("TOUCHD_TRIGGER", gesture.trigger.rawValue)
        entry.add("TOUCHD_VIEW", gesture.view ?? "")
        if let page = gesture.page { entry.add("TOUCHD_PAGE", page) }
        if let screen = gesture.screen { entry.add("TOUCHD_SCREEN", screen) }
        add(gesture.time)
        sender.send(entry)
    }

    private func write(_ page: PageRecord) {
        entry.begin(message: "page \(page.page)", priority: 6, identity: .pageShown)
        entry.add("TOUCHD_PAGE", page.page)
        if let screen = page.screen { entry.add("TOUCHD_SCREEN", screen) }
        if let time = page.time { add(time) }
        sender.send(entry)
    }

    private func add(_ time: Double) {
        entry.open("TOUCHD_TIME")
        entry.append(time: time)
        entry.close()
    }
}

extension MessageID {
    /// The message ID for a phase; nil if the phase is not logged.
    fileprivate init?(_ phase: TouchRecord.Phase) {
        switch phase {
        case .began: self = .touchBegan
        case .moved: self = .touchMoved
        case .ended: self = .touchEnded
        case .cancelled: self = .touchCancelled
        case .stationary: return nil
        }
    }
}
