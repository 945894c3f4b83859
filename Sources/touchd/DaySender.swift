import Basics
import CommandSupport
import ControlProtocol
import EventLoop
import Foundation
import Handlers

/// Sends days one after the other, through a separate `touchd network`, as handlers' messages are sent.
@MainActor
struct DaySender {
    /// The longest time until the outcome of a day is known: more than that of a request.
    private static let patience = Duration.seconds(45)
    /// After this many failures, the rest waits for the next start.
    private static let failureLimit = 3

    private let settings: DaySettings
    private let socket: PacketSocket, helper: pid_t?
    private var number = 0

    private init(_ settings: DaySettings) throws {
        self.settings = settings
        (socket, helper) = try NetworkEndpoint.ownChild.connect()
        try socket.send(NetworkOrder.hello(NetworkHello { $0.session = "day" }).packet)
        try socket.send(NetworkOrder.setup(settings.setup).packet)
    }

    /// Sends the days of a folder, the newest first, and deletes each that was taken.
    ///
    /// - Throws: One error for all that were not.
    static func send(_ folder: DayFolder, _ settings: DaySettings) throws {
        let days = folder.days.reversed()
        guard !days.isEmpty else { return }
        var sender = try DaySender(settings)
        defer { sender.end() }
        var taken: [String] = [], failures: [String] = []
        for day in days where failures.count < failureLimit {
            if let reason = try folder.body(of: day).map({ try sender.failure(of: $0) }) ?? "it cannot be read" {
                failures.append(reason)
            } else {
                try folder.remove(day)
                taken.append(day)
            }
        }
        if !taken.isEmpty { DayFolder.note("\(settings.message.peer) took \(taken.joined(separator: ", "))") }
        guard let reason = failures.first else { return }
        let count = days.count - taken.count
        throw UnavailableError(
            "\(count) \(count == 1 ? "day waits" : "days wait") in \(folder.path) for \(settings.message.peer): \(reason)",
            status: EX_TEMPFAIL)
    }

    /// Sends a day, and waits for its outcome; returns why it was not taken.
    private mutating func failure(of body: [UInt8]) throws -> String? {
        number += 1
        var message = settings.message
        (message.number, message.handler, message.body) = (number, "day", body)
        try socket.send(NetworkOrder.message(message).packet)
        let limit = Deadline.after(Self.patience)
        while !limit.isPast {
            var entry = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, Int32(max(1, (limit - .now) / .milliseconds(1))))
            switch socket.receive(NetworkReport.self, limit: NetworkReport.packetLimit) {
            case .value(let report, _):
                switch report.printable {
                case .done(let numbers) where numbers.contains(number): return nil
                case .failed(number, let reason): return reason
                // The helper would try again for ever.
                case .peer(let peer) where peer.phase == .waiting: return peer.error ?? "it cannot be reached"
                default: continue
                }
            case .nothing: continue
            case .end: return "'touchd network' has ended"
            }
        }
        return "no answer for \(Self.patience / .seconds(1)) s"
    }

    /// Ends the helper, which says farewell to a broker.
    private func end() {
        guard let helper else { return }
        kill(helper, SIGTERM)
        var status: Int32 = 0
        waitpid(helper, &status, 0)
    }
}
