import EventLoop
import Foundation

/// Where `touchd network` runs.
package enum NetworkEndpoint {
    /// touchd-network.service listens at a path.
    case socket(String)
    /// A program is started as a child, with one end of a socket pair as its descriptor 3.
    case child(String)

    /// Why it cannot be reached.
    package struct Failure: Error, CustomStringConvertible {
        let reason: String
        package var description: String { reason }
    }

    /// The socket named in touchd.service; by hand, touchd starts itself again.
    static var current: NetworkEndpoint {
        let socket = ProcessInfo.processInfo.environment["TOUCHD_NETWORK_SOCKET"] ?? ""
        return socket.isEmpty ? ownChild : .socket(socket)
    }

    /// This program, or touchd, started for this process only.
    package static var ownChild: NetworkEndpoint {
        // A program that uses touchd's library has no network either.
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return .child(own?.hasSuffix("/touchd") == true ? own ?? "" : "/usr/bin/touchd")
    }

    /// Connects; returns the child if one was started.
    package func connect() throws(Failure) -> (PacketSocket, pid_t?) {
        switch self {
        case .socket(let path):
            do throws(SystemError) { return (try PacketSocket(path: path, takesDescriptors: true), nil) } catch {
                throw Failure(reason: error.reason(at: path, of: "touchd-network"))
            }
        case .child(let program):
            guard access(program, X_OK) == 0 else {
                throw Failure(reason: "\(program) is missing; install touchd, which has the network")
            }
            do {
                let (near, far) = try PacketSocket.pair()
                let opened = try OpenedProgram(ProgramCommand(arguments: [program, "network"]), isStrict: false)
                return try withExtendedLifetime(far) {
                    (near, try ChildProcess.spawn(opened, environment: [], passing: far.descriptor))
                }
            } catch {
                throw Failure(reason: "'\(program) network' cannot be started: \(error)")
            }
        }
    }
}
