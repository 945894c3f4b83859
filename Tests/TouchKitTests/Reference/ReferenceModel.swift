import Foundation

/// A view of the reference.
final class ReferenceView {
    let name: String
    let plan: ViewPlan
    private(set) var flags: Set<ViewPlan.Flag>
    weak var parent: ReferenceView?
    var subviews: [ReferenceView] = []
    var gestures: [ReferenceGesture] = []
    /// The touch that a control tracks, and whether it is inside (B11).
    var tracked: ReferenceTouch?
    var isTouchInside = false

    init(_ index: Int, _ plan: ViewPlan) {
        name = "v\(index)"
        self.plan = plan
        flags = plan.flags
    }

    var isWindow: Bool { plan.parent == nil }
    var isControl: Bool { !isWindow && plan.kind != .plain }
    var controllerName: String? { flags.contains(.controlled) ? "c" + name.dropFirst() : nil }
    /// B1: a window always accepts several touches.
    var takesSeveral: Bool { isWindow || has(.multiple) }

    func has(_ flag: ViewPlan.Flag) -> Bool { flags.contains(flag) }
    func set(_ flag: ViewPlan.Flag, _ isOn: Bool) {
        if isOn { flags.insert(flag) } else { flags.remove(flag) }
    }

    func add(_ view: ReferenceView) {
        subviews.append(view)
        view.parent = self
    }

    func isIn(_ view: ReferenceView) -> Bool { self === view || parent?.isIn(view) == true }

    /// The window the view is in.
    var window: ReferenceView? { isWindow ? self : parent?.window }

    /// The view and its superviews.
    var chain: [ReferenceView] { [self] + (parent?.chain ?? []) }

    func removeFromSuperview(_ reference: Reference) {
        if parent == nil { return }
        reference.cancelTouches(in: self)
        parent?.subviews.removeAll { $0 === self }
        parent = nil
    }

    /// A4.6: a screen position in the view's coordinates.
    func local(_ place: CGPoint) -> CGPoint {
        let place = parent?.local(place) ?? place
        return CGPoint(x: place.x - plan.frame.minX + (has(.scrolled) ? 32 : 0), y: place.y - plan.frame.minY)
    }

    var bounds: CGRect { CGRect(origin: CGPoint(x: has(.scrolled) ? 32 : 0, y: 0), size: plan.frame.size) }
}

/// A touch of the reference.
final class ReferenceTouch {
    enum Phase: Int { case began, moved, stationary, ended, cancelled }
    /// The last phase that its view received.
    enum Told { case nothing, began, over }

    let id: UInt32
    /// The screen positions where it came down, before its last change, and now.
    let origin: CGPoint
    private(set) var previous: CGPoint
    var place: CGPoint { didSet { previous = oldValue } }
    var phase = Phase.began
    var view: ReferenceView?
    var gestures: [ReferenceGesture] = []
    /// The events in which it began, in which it last moved without its view receiving it, and in which it ended.
    let beganIn: Int
    var movedIn: Int?
    var endedIn = 0
    /// The event in which its delayed begin was delivered.
    var releasedIn = 0
    var told = Told.nothing
    /// Whether its recognizers are just receiving its end and have not received the phase yet.
    var isUnseen = false
    var isEnding = false
    /// B1: the view does not receive it. A5.7: a recognizer has taken it.
    var isWithheld = false
    var isTaken = false

    init(_ id: UInt32, at place: CGPoint, in event: Int) {
        self.id = id
        origin = place
        previous = place
        self.place = place
        beganIn = event
    }

    var isOver: Bool { phase == .ended || phase == .cancelled }
    /// Whether its recognizers received its end.
    var isGone: Bool { isOver && !isUnseen }

    func move(in event: Int) {
        phase = .moved
        movedIn = event
        isUnseen = true
    }

    func end(_ phase: Phase, in event: Int) {
        if !isOver { isUnseen = true }
        // The cancel after a recognizer took the touch is delivered now.
        if phase == .cancelled && told == .began { isTaken = false }
        self.phase = phase
        endedIn = event
    }
}
