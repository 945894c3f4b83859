import ControlProtocol
import EventLoop
import Foundation
import Glibc
import Testing

@testable import Service
@testable import TestSupport

/// The ends of touches sent as TUIO. SystemTests checks the other parts of a bundle with python-osc.
@Suite("Ends of touches as TUIO") final class TUIOSenderTests {
    private let receiver: Int32
    private let stage: SlotStage
    private let layout: String

    init() throws {
        receiver = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        let port = bindToLoopback(receiver)
        layout = "screen: {size: [100, 100]}\ntuio: {port: \(port)}\n"
        stage = try SlotStage(layout)
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        _ = withLoopback(port: port) { Foundation.connect(socket, $0, $1) }
        stage.observers.tuio?.send(through: PassedDescriptor(socket))
    }

    deinit { close(receiver) }

    /// The bundles that have arrived.
    private func bundles() -> [TUIOBundle] {
        var bundles: [TUIOBundle] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(receiver, &bytes, bytes.count, 0), count > 0 {
            bundles.append(TUIOBundle(bytes[..<count]))
        }
        return bundles
    }

    @Test("a finger that is down when touchd or a replay ends is not alive at the receiver afterwards")
    func finish() {
        stage.finger(.began, 10, 10)
        #expect(bundles().map(\.alive) == [[1]])
        // As `Daemon.run()` does it.
        stage.application.cancelAllTouches()
        stage.observers.tuio?.finish()
        #expect(bundles().map(\.alive) == [[]])
    }

    @Test("a socket through which nothing can be sent is given up and reported once")
    func failedSocket() {
        var failures: [SystemError] = []
        stage.observers.tuioDidFail = { failures.append($0) }
        stage.observers.tuio?.send(through: PassedDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC)))
        stage.finger(.began, 10, 10)
        stage.finger(.ended, 10, 10)
        #expect(failures == [SystemError(call: "send", errno: ENOTSOCK)])
    }

    @Test("a reload ends the finger that is down at the receiver, and the frame numbers continue")
    func reload() throws {
        stage.finger(.began, 10, 10)
        try stage.reload(layout)
        stage.finger(.ended, 10, 10)
        stage.finger(.began, 20, 20, id: 2)
        let bundles = bundles()
        #expect(bundles.map(\.alive) == [[1], [], [2]])
        #expect(bundles.map(\.frame) == [1, 2, 3])
    }
}

/// The parts of a bundle that tell which touches are down.
private nonisolated struct TUIOBundle {
    private(set) var alive: [UInt32] = []
    private(set) var frame: UInt32?

    init(_ bytes: ArraySlice<UInt8>) {
        // "#bundle" and the time tag.
        var rest = bytes.dropFirst(16)
        while !rest.isEmpty {
            let size = Int(Self.number(&rest))
            var message = rest.prefix(size)
            rest = rest.dropFirst(size)
            _ = Self.text(&message)
            let integers = Self.text(&message).count { $0 == "i" }
            let command = Self.text(&message)
            guard command == "alive" || command == "fseq" else { continue }
            let numbers = (0..<integers).map { _ in Self.number(&message) }
            if command == "alive" { alive = numbers } else { frame = numbers.first }
        }
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt32 {
        defer { bytes = bytes.dropFirst(4) }
        return bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A text ends with one to four zeros.
    private static func text(_ bytes: inout ArraySlice<UInt8>) -> String {
        let text = bytes.prefix { $0 != 0 }
        bytes = bytes.dropFirst(text.count / 4 * 4 + 4)
        return String(decoding: text, as: UTF8.self)
    }
}
