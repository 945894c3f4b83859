import CLinux
import EventLoop
import Foundation

@testable import Handlers

/// A listening `SOCK_SEQPACKET` socket at a temporary path, like systemd's touchd-exec.socket.
final class ListeningPath {
    let path = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)").path
    let descriptor: Int32

    init() {
        descriptor = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC, 0)
        precondition(LocalAddress(path)?.withSockaddr { bind(descriptor, $0, $1) } == 0 && listen(descriptor, 128) == 0)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }
}
