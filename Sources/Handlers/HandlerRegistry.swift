import Layout
import TouchKit

/// The handlers that a layout can name.
///
/// Two sources fill it: a program registers closures under names of its choice, and a layout's `handlers:` defines
/// names by what they do. A program's names stay; a layout's are replaced when another layout is loaded.
public final class HandlerRegistry {
    /// Runs for a touch in a phase, on the main actor, inside the touch's delivery: it must not block.
    public typealias Handler = (Touch, Event) -> Void

    /// The handlers that every layout can name without defining them.
    public nonisolated static let builtinNames = ["log"]

    private let builtins: BuiltinHandlers
    private var registered: [String: Handler] = [:]
    private var defined: [String: Handler] = [:]

    /// Makes a registry whose built-in handlers work through `builtins`.
    public init(builtins: BuiltinHandlers) {
        self.builtins = builtins
        registered["log"] = builtins.log(message: nil)
    }

    /// Names a handler, so that a layout's `on:` can use it; a second registration of a name replaces the first.
    public func register(_ name: String, _ handler: @escaping Handler) { registered[name] = handler }

    /// The names that exist without a layout's doing: the built-in ones and those a program registered.
    public var registeredNames: [String] { registered.keys.sorted() }

    /// Defines what a layout's `handlers:` says, in place of what an earlier layout said.
    public func define(_ specs: [HandlerSpec]) {
        defined = [:]
        for spec in specs {
            guard case .action(let action)? = spec.steps.first?.kind else { continue }
            switch action {
            case .log(let message):
                defined[spec.name] = builtins.log(message: message.filled { _ in nil }, handler: spec.name)
            case .exec(let command):
                let arguments = command.arguments.map { $0.filled { _ in nil } }
                defined[spec.name] = builtins.exec(arguments, handler: spec.name)
            default: continue
            }
        }
    }

    /// The handler of a name, a program's before a layout's.
    public func handler(named name: String) -> Handler? { registered[name] ?? defined[name] }
}
