import ArgumentParser
import Evdev
import Foundation
import Handlers
import Layout

/// The option of commands that choose a device as the service does.
struct DeviceRulesChoice: ParsableArguments {
    @Option(
        name: .layout,
        help: .file("The layout whose device rules apply (default: /etc/touchd/touchd.yaml, if it exists)."),
        completion: .layout)
    var layout: String?

    /// Loads the layout's device rules, followed by those for touchd's own devices.
    func load() throws -> [DeviceRule] {
        let path =
            layout ?? (FileManager.default.isReadableFile(atPath: Run.installedLayout) ? Run.installedLayout : nil)
        let document = try path.map { try LayoutDocument(path: $0, handlers: HandlerRegistry.builtinNames) }
        return (document?.devices ?? []) + VirtualDevice.deviceRules
    }
}
