import Foundation

/// An object that is equal only to itself.
class ReferenceObject: Equatable {
    init() {}
    nonisolated static func == (left: ReferenceObject, right: ReferenceObject) -> Bool { left === right }
}

/// A view of the reference.
final class ReferenceView: ReferenceObject {
    let name: String
    let plan: ViewPlan
    private(set) var flags: Set<ViewPlan.Flag>
    weak var parent: ReferenceView?
    var subviews: [ReferenceView] = []
    var gestures: [ReferenceGesture] = []
    /// The touch that a control follows, and whether that is inside (B11).
    var tracked: ReferenceTouch?
    var isTouchInside = false

    init(_ index: Int, _ plan: ViewPlan) {
        name = "v\(index)"
        self.plan = plan
        flags = plan.flags
    }

    var isWindow: Bool { plan.parent == nil }
    var isControl: Bool { !isWindow && plan.kind == .button }
    var controllerName: String? { flags.contains(.controlled) ? "c" + name.dropFirst() : nil }
    /// Issue 18, 10: a window always takes several touches.
    var takesSeveral: Bool { isWindow || has(.multiple) }

    func has(_ flag: ViewPlan.Flag) -> Bool { flags.contains(flag) }
    func set(_ flag: ViewPlan.Flag, _ isOn: Bool) {
        if isOn { flags.insert(flag) } else { flags.remove(flag) }
    }

    func add(_ view: ReferenceView) {
        view.remove()
        subviews.append(view)
        view.parent = self
    }

    func isIn(_ view: ReferenceView) -> Bool { self === view || parent?.isIn(view) == true }

    /// The window the view is in.
    var window: ReferenceView? { isWindow ? self : parent?.window }

    /// The view and its superviews.
    var chain: [ReferenceView] { [self] + (parent?.chain ?? []) }

    func remove() {
        parent?.subviews.removeAll { $0 === self }
        parent = nil
    }

    /// A4.6: a place of the screen in the view's coordinates.
    func local(_ place: CGPoint) -> CGPoint {
        let place = parent?.local(place) ?? place
        return CGPoint(x: place.x - plan.frame.minX, y: place.y - plan.frame.minY)
    }

    var bounds: CGRect { CGRect(origin: .zero, size: plan.frame.size) }
}

/// A touch of the reference.
final class ReferenceTouch: ReferenceObject {
    enum Phase: Int { case began, moved, stationary, ended, cancelled }
    /// The phases that its view has received.
    enum Delivered { case nothing, began, over }

    let id: UInt32
    /// Where it came down, where it was before its last change, and where it is, on the screen.
    let origin: CGPoint
    private(set) var previous: CGPoint
    var place: CGPoint { didSet { previous = oldValue } }
    var phase = Phase.began
    var view: ReferenceView?
    var gestures: [ReferenceGesture] = []
    /// The event in which it began, in which it moved last without its view knowing, and in which it ended.
    let beganIn: Int
    var movedIn: Int?
    var endedIn = 0
    /// The event in which its phases were held back, or in which its delayed beginning was delivered.
    var releasedIn = 0
    var delivered = Delivered.nothing
    /// Its recognizers have not received its phase yet; they are receiving its end.
    var isUnseen = false
    var isEnding = false
    /// B1: its view is not to know of it. A5.7: a recognizer has taken it.
    var isWithheld = false
    var isTaken = false
    /// Its view is receiving its beginning, and then its end.
    var isBeginning = false

    init(_ id: UInt32, at place: CGPoint, in event: Int) {
        self.id = id
        origin = place
        previous = place
        self.place = place
        beganIn = event
    }

    /// Where its news come among those of its view: began, moved, ended, cancelled.
    var order: Int { delivered == .nothing ? 0 : phase.rawValue }
    var isOver: Bool { phase == .ended || phase == .cancelled }
    /// Its recognizers have received its end.
    var isGone: Bool { isOver && !isUnseen }

    func move(in event: Int) {
        phase = .moved
        movedIn = event
        isUnseen = true
    }

    func end(_ phase: Phase, in event: Int) {
        if !isOver { isUnseen = true }
        // The cancel that was due because a recognizer took it is delivered now.
        if phase == .cancelled && delivered == .began { isTaken = false }
        self.phase = phase
        endedIn = event
    }
}
