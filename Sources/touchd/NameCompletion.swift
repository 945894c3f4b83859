import ArgumentParser
import Basics
import CommandSupport
import ControlProtocol
import Evdev
import Handlers
import Layout

/// The names that the shell completes: those of the running touchd, this machine, or the layout in the command line.
enum NameCompletion {
    /// The pages or views of the running touchd.
    static func ofRunning(_ operand: LayoutCommand.Operand?) -> CompletionKind {
        .custom { words, _, _ in
            guard operand == .page else { return running(words) { try $0.views().map(\.view) } }
            return running(words) { try ($0.answer(to: .listPages) as [PageState]).map(\.page) }
        }
    }

    /// The event nodes of this machine, or with `--running` the names of the running touchd's devices.
    static let nodes = CompletionKind.custom { words, _, _ in
        guard words.contains("--running") else { return ((try? DeviceMonitor.survey()) ?? []).map(\.path) }
        return running(words) { try ($0.answer(to: .devices) as [DeviceState]).map(\.name) }
    }

    /// What the layout after `--layout`, or the installed one, has.
    static func ofLayout(_ names: @escaping @Sendable (LayoutDocument) -> [String]) -> CompletionKind {
        .custom { words, _, _ in
            let file = words.value(of: "-l", "--layout") ?? LayoutOption.installed
            return (try? LayoutDocument(path: file, handlers: HandlerRegistry.builtinNames)).map(names) ?? []
        }
    }

    private static func running(_ words: [String], _ names: (ControlConnection) throws -> [String]) -> [String] {
        let socket = words.value(of: "--socket") ?? ControlAddress.ofClient
        return (try? names(ControlConnection(path: socket, timeout: .seconds(1)))) ?? []
    }
}
