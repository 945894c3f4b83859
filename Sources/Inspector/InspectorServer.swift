import EventLoop
import Foundation
import WebServer

/// Serves the page to browsers.
///
/// Responses are created on the main actor; `WebServer` reads requests and writes responses on its own thread.
package final class InspectorServer {
    private let address: ListenAddress
    private let answers: PageAnswers
    private let server: WebServer
    private var pulse: RunLoopTimer?

    /// Creates a server for a running touchd. It does not listen yet.
    package convenience init(_ session: LiveSession, address: ListenAddress, token: AccessToken) {
        self.init(of: session, address: address, token: token)
        session.onEvent = { [answers] line in answers.send(line) }
    }

    /// Creates a server for a recording. It does not listen yet.
    package convenience init(_ session: RecordedSession, address: ListenAddress, token: AccessToken) {
        self.init(of: session, address: address, token: token)
    }

    private init(of session: any Session, address: ListenAddress, token: AccessToken) {
        self.address = address
        let answers = PageAnswers(session)
        self.answers = answers
        server = WebServer(at: .address(address), access: .ownPage(token)) { await answers.answer($0) }
    }

    /// Listens and answers until the process ends. Only its owner can connect to a local socket.
    ///
    /// - Returns: The port; 0 for a local socket.
    package func listen() async throws(InspectorServerError) -> UInt16 {
        do {
            if case .unix(let path) = address { try LocalAddress.makeRoom(at: path) }
            let port = try await server.listen()
            // Only a write shows that a page has gone.
            let pulse = RunLoopTimer(name: "inspector pulse", after: .seconds(15), repeating: .seconds(15)) {
                [answers] _ in answers.sendPulse()
            }
            EpollRunLoop.main.add(pulse)
            self.pulse = pulse
            return port
        } catch ListeningSocketError.isTaken {
            throw InspectorServerError(address: address, reason: "another process listens there")
        } catch ListeningSocketError.isNoSocket {
            throw InspectorServerError(address: address, reason: "the file there is not a socket and is not replaced")
        } catch ListeningSocketError.isNoAddress {
            throw InspectorServerError(
                address: address,
                reason: "a socket's path must be at most \(LocalAddress.lengths.upperBound) bytes long")
        } catch ListeningSocketError.refused(_, let error) {
            throw InspectorServerError(address: address, reason: error.reason)
        } catch {
            throw InspectorServerError(address: address, reason: "\(error)")
        }
    }

    /// Removes the local socket, if the server listened at one.
    package func removeSocket() {
        if case .unix(let path) = address { unlink(path) }
    }
}

/// Why an inspector cannot listen.
package struct InspectorServerError: Error, CustomStringConvertible {
    let address: ListenAddress
    let reason: String

    /// The error and how to fix it.
    package var description: String {
        "cannot listen at \(address.text): \(reason); choose another address with --listen"
    }
}
