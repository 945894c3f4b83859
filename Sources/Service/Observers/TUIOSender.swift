import CLinux
import EventLoop
import Foundation
import Layout
import TouchKit

/// Sends touches as TUIO 1.1 cursors over UDP: one bundle for each screen and each report of its devices.
///
/// A touch that `forward` keeps for touchd is not sent; one that a gesture takes back ends.
///
/// Sending never waits: a datagram that the kernel does not accept is lost. Each bundle has all touches that are down,
/// and the last bundle is repeated every second while there are any and once after, so a loss does not last.
final class TUIOSender: DeliveryObserver {
    private static let mostCursors = 256

    fileprivate struct Cursor {
        let touch: Touch
        var session: UInt32 { UInt32(truncatingIfNeeded: touch.id) }
        /// Whether the program gets the touch; nil while a gesture delays it.
        var isForwarded: Bool?
        /// Whether the touch is over while a gesture still delays it.
        var isOver = false
        var time: TimeInterval
        var x: Float, y: Float
        var velocityX: Float = 0, velocityY: Float = 0, acceleration: Float = 0
    }

    fileprivate struct Surface {
        let window: Window
        let source: String
        var cursors: [Cursor] = []
        var frame: UInt32 = 0
        var isChanged = false
    }

    /// The connected socket, which `touchd network` opens: the service may not; nil until then and after a failure.
    private var socket: PassedDescriptor?
    private let didFail: (SystemError) -> Void
    private let spec: TUIOSpec
    private let forwardsByDefault: Bool
    private var surfaces: [Surface]
    private var packet = OSCPacket(capacity: 20 * 1024)
    private var time: TimeInterval = 0
    private var observer: RunLoopObserver?
    private lazy var repetition = RunLoopTimer(name: "TUIO") { [weak self] _ in self?.sendAgain() }

    /// Creates a sender; it has the socket of the former one, if that sent to the same address. Its frame numbers
    /// continue, because a receiver drops a bundle with a lower one as late.
    ///
    /// - Parameter didFail: Called when nothing can be sent through the socket any more, for example because the address
    ///   of this machine has changed. Another socket is needed.
    init(
        _ spec: TUIOSpec, scene: Scene, loop: EpollRunLoop, after former: TUIOSender?,
        didFail: @escaping (SystemError) -> Void = { _ in }
    ) {
        self.spec = spec
        self.didFail = didFail
        forwardsByDefault = scene.document.forward.isDefault
        let host = ProcessInfo.processInfo.hostName
        surfaces = zip(scene.windows, scene.document.screens).map { window, screen in
            Surface(window: window, source: "touchd\(screen.name.map { "-\($0)" } ?? "")@\(host)")
        }
        for index in surfaces.indices {
            surfaces[index].cursors.reserveCapacity(Self.mostCursors)
            surfaces[index].frame = former?.surfaces.first { $0.source == surfaces[index].source }?.frame ?? 0
        }
        observer = loop.add(
            RunLoopObserver(activities: [.beforeTimers, .beforeWaiting]) { [unowned self] _ in flush() })
        loop.add(repetition)
        guard let former, former.spec == spec else { return }
        swap(&socket, &former.socket)
        if former.repetition.isArmed { repetition.reschedule(after: .seconds(1)) }
    }

    isolated deinit {
        observer?.invalidate()
        repetition.invalidate()
    }

    /// Sends through a connected socket from now on.
    func send(through new: PassedDescriptor) { socket = new }

    /// Notes a delivered touch. A touch at a private place is left out, and ends if it was sent before.
    func didDeliver(_ delivery: TouchDelivery) {
        let touch = delivery.touch
        guard let index = surfaces.firstIndex(where: { $0.window.screen === touch.screen }) else { return }
        if touch.timestamp != time { flush() }
        time = touch.timestamp
        let position = surfaces[index].cursors.firstIndex { $0.touch === touch }
        switch touch.isConcealed ? .cancelled : delivery.phase {
        case .began where position == nil && surfaces[index].cursors.count < Self.mostCursors:
            let isForwarded = touch.isForwarded(byDefault: forwardsByDefault)
            if isForwarded == false { return }
            let (x, y) = surfaces[index].location(of: touch)
            surfaces[index].cursors.append(Cursor(touch: touch, isForwarded: isForwarded, time: time, x: x, y: y))
            if isForwarded == nil { return }
        case .moved:
            guard let position else { return }
            let (x, y) = surfaces[index].location(of: touch)
            surfaces[index].cursors[position].move(to: x, y, at: time)
            if surfaces[index].cursors[position].isForwarded == nil { return }
        case .ended, .cancelled:
            guard position != nil else { return }
            // A touch that begins and ends in one report is seen.
            if surfaces[index].isChanged { flush() }
            guard let position = surfaces[index].cursors.firstIndex(where: { $0.touch === touch }) else { return }
            if delivery.phase == .ended, surfaces[index].cursors[position].isForwarded == nil {
                surfaces[index].cursors[position].isOver = true
                return
            }
            surfaces[index].cursors.remove(at: position)
        default: return
        }
        surfaces[index].isChanged = true
    }

    func flush() {
        for index in surfaces.indices {
            surfaces[index].followGestures(forwardsByDefault: forwardsByDefault)
            guard surfaces[index].isChanged else { continue }
            surfaces[index].isChanged = false
            send(&surfaces[index])
            if surfaces[index].cursors.contains(where: { $0.isOver && $0.isForwarded == true }) {
                surfaces[index].cursors.removeAll { $0.isOver && $0.isForwarded == true }
                send(&surfaces[index])
            }
            if !repetition.isArmed { repetition.reschedule(after: .seconds(1)) }
        }
    }

    /// Ends all cursors, because the program ends or another layout is loaded.
    func finish() {
        // The touches may have been cancelled just before.
        flush()
        for index in surfaces.indices where !surfaces[index].cursors.isEmpty {
            surfaces[index].cursors.removeAll(keepingCapacity: true)
            send(&surfaces[index])
        }
    }

    private func sendAgain() {
        for index in surfaces.indices where surfaces[index].frame > 0 { send(&surfaces[index]) }
        if surfaces.contains(where: { !$0.cursors.isEmpty }) { repetition.reschedule(after: .seconds(1)) }
    }

    private func send(_ surface: inout Surface) {
        surface.frame &+= 1
        packet.begin()
        packet.beginMessage("/tuio/2Dcur", then: UInt8(ascii: "s"), count: 1)
        packet.append("source" as StaticString)
        packet.append(surface.source)
        packet.endMessage()
        packet.beginMessage("/tuio/2Dcur", then: UInt8(ascii: "i"), count: surface.sentCount)
        packet.append("alive" as StaticString)
        for cursor in surface.cursors where cursor.isForwarded == true { packet.append(cursor.session) }
        packet.endMessage()
        for cursor in surface.cursors where cursor.isForwarded == true {
            packet.beginMessage("/tuio/2Dcur", then: UInt8(ascii: "f"), count: 5, first: ",si")
            packet.append("set" as StaticString)
            packet.append(cursor.session)
            packet.append(cursor.x)
            packet.append(cursor.y)
            packet.append(cursor.velocityX)
            packet.append(cursor.velocityY)
            packet.append(cursor.acceleration)
            packet.endMessage()
        }
        packet.beginMessage("/tuio/2Dcur", then: UInt8(ascii: "i"), count: 1)
        packet.append("fseq" as StaticString)
        packet.append(surface.frame)
        packet.endMessage()
        guard let socket else { return }
        let sent = packet.bytes.withUnsafeBytes {
            Foundation.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        // ECONNREFUSED concerns an earlier datagram: no program listens there now (udp(7)). Without room, one is lost.
        if sent >= 0 || [ECONNREFUSED, EAGAIN, ENOBUFS, ENOMEM].contains(errno) { return }
        let error = SystemError(call: "send", errno: errno)
        self.socket = nil
        didFail(error)
    }
}

extension TUIOSender.Surface {
    fileprivate var sentCount: Int { cursors.count { $0.isForwarded == true } }

    /// Adds the touches that gestures no longer delay, and removes those that they took back.
    fileprivate mutating func followGestures(forwardsByDefault: Bool) {
        guard !cursors.isEmpty else { return }
        for index in cursors.indices {
            let isForwarded = cursors[index].touch.isForwarded(byDefault: forwardsByDefault)
            guard isForwarded != cursors[index].isForwarded else { continue }
            isChanged = isChanged || isForwarded == true || cursors[index].isForwarded == true
            cursors[index].isForwarded = isForwarded
        }
        cursors.removeAll { $0.isForwarded == false }
    }

    /// A touch's position, where 0 and 1 are the screen's edges.
    fileprivate func location(of touch: Touch) -> (x: Float, y: Float) {
        let (point, bounds) = (touch.location(in: nil), window.screen.bounds)
        return (Float((point.x - bounds.minX) / bounds.width), Float((point.y - bounds.minY) / bounds.height))
    }
}

extension Touch {
    /// Whether the program that draws gets the touch; nil while a gesture delays it. Without a forwarded panel, the
    /// views and gestures of the layout decide.
    fileprivate func isForwarded(byDefault isDefault: Bool) -> Bool? {
        switch forwarding {
        case .through: true
        case .delayed: nil
        case .none, .kept(.notGrabbed), .kept(.slots):
            if isClaimedByGesture {
                false
            } else if isDelayedByGesture {
                nil
            } else {
                view?.inheritedForwardsTouches?.value ?? isDefault
            }
        case .cancelled, .kept: false
        }
    }
}

extension TUIOSender.Cursor {
    /// Moves a cursor; velocities are in screens per second, the acceleration in screens per second squared.
    fileprivate mutating func move(to x: Float, _ y: Float, at time: TimeInterval) {
        let duration = Float(time - self.time)
        if duration > 0 {
            let before = (velocityX * velocityX + velocityY * velocityY).squareRoot()
            (velocityX, velocityY) = ((x - self.x) / duration, (y - self.y) / duration)
            let speed = (velocityX * velocityX + velocityY * velocityY).squareRoot()
            acceleration = (speed - before) / duration
        }
        (self.x, self.y, self.time) = (x, y, time)
    }
}
