import ArgumentParser
import CommandSupport
import ControlProtocol
import Handlers
import Layout

/// The names that the shell completes: those of the running touchd, or of the layout in the command line.
enum NameCompletion {
    /// Its pages or views.
    static func ofRunning(_ operand: LayoutCommand.Operand?) -> CompletionKind {
        .custom { _, _, _ in
            guard let touchd = try? ControlConnection(path: ControlAddress.ofClient, timeout: .seconds(1)) else {
                return []
            }
            guard operand == .page else { return ((try? touchd.views()) ?? []).map(\.view) }
            let pages: [PageState]? = try? touchd.answer(to: .listPages)
            return (pages ?? []).map(\.page)
        }
    }

    /// What the layout after `--layout`, or the installed one, has.
    static func ofLayout(_ names: @escaping @Sendable (LayoutDocument) -> [String]) -> CompletionKind {
        .custom { words, _, _ in
            let option = words.lastIndex { $0 == "-l" || $0 == "--layout" }.map { $0 + 1 }
            let file = option.flatMap { words.indices.contains($0) ? words[$0] : nil } ?? LayoutOption.installed
            return (try? LayoutDocument(path: file, handlers: HandlerRegistry.builtinNames)).map(names) ?? []
        }
    }
}
