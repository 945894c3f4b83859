import EventLoop
import Foundation
import Glibc

/// A client with its slot.
nonisolated final class Page: Sendable {
    private let descriptor: Int32
    private let slot: String

    init(_ number: Int, _ path: String) {
        slot = "page-\(number)"
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let failed = LocalAddress(path)?.withSockaddr { connect(descriptor, $0, $1) }
        precondition(failed == 0, "cannot connect to \(path)")
    }

    /// 2,000 buttons as `touchd.js` describes them.
    func views(_ name: String, offset: Double) -> String {
        let views = (0..<2000).map { number in
            let frame = frame(number, offset)
            return
                #"{"id":"\#(slot)-\#(name)-\#(number)","frame":[\#(frame)],"control":"button","on":{"began":"touched"}}"#
        }
        return "[\(views.joined(separator: ","))]"
    }

    private func frame(_ number: Int, _ offset: Double) -> String {
        "\(Double(number % 50) * 7.68 + offset),\(Double(number / 50) * 6.75),7,6"
    }

    func request(views: String) -> String {
        #"{"request":"views","slot":"\#(slot)","publisher":"bench","views":\#(views)}"#
    }

    /// Moves the first list.
    func move(offset: Double) -> String {
        let frames = (0..<2000).map { #""\#(slot)-a-\#($0)":[\#(frame($0, offset))]"# }
        return #"{"request":"move","frames":{\#(frames.joined(separator: ","))}}"#
    }

    /// Sends a request and waits for its answer; returns the time in seconds.
    func request(_ line: String) -> Double {
        let bytes = Array((line + "\n").utf8), start = DispatchTime.now().uptimeNanoseconds
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            precondition(count > 0, "touchd has closed the connection")
            sent += count
        }
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &answer, answer.count)
        precondition(
            count > 0 && answer[..<count].starts(with: Array(#"{"result""#.utf8)),
            String(decoding: answer, as: UTF8.self))
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }
}
