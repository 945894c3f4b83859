/// Why a command failed.
package enum PlayError: Error, CustomStringConvertible {
    case usage(String)
    case unreadable(path: String, reason: String)
    case description(String)
    case command(String)
    case unknownDevice(String)
    case deviceExists(String)
    case unknownCode(String)
    case slot(Int, device: String)
    case system(what: String, reason: String)
    case silentUdev(node: String, seconds: Int)

    package var description: String {
        switch self {
        case .usage(let command):
            "usage: \(command): reads commands from FILE or standard input; Tests/Lab/README.md has them"
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .description(let problem): problem
        case .command(let line): "not a command: \(line)"
        case .unknownDevice(let name): "there is no device \(name): make it with `device \(name) DESCRIPTION`"
        case .deviceExists(let name): "there is a device \(name) already: destroy it first"
        case .unknownCode(let code): "no event code is called \(code); names are those of linux/input-event-codes.h"
        case .slot(let slot, let device): "\(device) has no slot \(slot) with a finger in the state that this needs"
        case .system(let what, let reason): "\(what): \(reason)"
        case .silentUdev(let node, let seconds):
            "udev said nothing of \(node) in \(seconds) s: is systemd-udevd running?"
        }
    }
}
