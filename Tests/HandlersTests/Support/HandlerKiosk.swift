import EventLoop
import Foundation
import Logging
import TouchKit
import TouchKitTesting

@testable import TestSupport
@testable import Handlers
@testable import Layout

/// A running layout with its handlers, and fingers.
final class HandlerKiosk: Stage {
    let loop: EpollRunLoop
    let log = LogRecorder()
    /// The number of times a device was named, and the last context that a handler ran for.
    private(set) var namedDevices = 0
    private(set) var lastContext: HandlerContext?
    let registry = HandlerRegistry()
    private(set) lazy var runner = HandlerRunner(
        registry: registry, application: application, loop: loop, logger: logger,
        deviceName: { [unowned self] _ in
            namedDevices += 1
            return "Panel"
        })
    private let logger: Logger
    private(set) var scene: Scene?

    /// Creates a kiosk without a layout.
    init(logging level: Logger.Level = .info) throws {
        loop = try EpollRunLoop()
        var logger = log.logger
        logger.logLevel = level
        self.logger = logger
        super.init(Application())
    }

    /// Creates a kiosk that shows a layout.
    convenience init(_ layout: String, logging level: Logger.Level = .info) throws {
        try self.init(logging: level)
        try show(layout)
    }

    /// Runs a program by a handler.
    func run(
        _ spec: ExecSpec, by name: String = "h", for context: HandlerContext = HandlerContext(.absent, .device("d"))
    ) {
        let step = HandlerStep(
            kind: .action(.exec(spec)), location: SourceLocation(file: "kiosk.yaml", line: 1, column: 1))
        runner.define([HandlerSpec(name: name, location: step.location, steps: [step])])
        run(name, for: context)
    }

    /// Runs a handler.
    func run(_ name: String, for context: HandlerContext) {
        let location = SourceLocation(file: "kiosk.yaml", line: 1, column: 1)
        runner.perform(HandlerStep(kind: .run(name, arguments: [:]), location: location), for: context)
    }

    /// The facts of a context for a handler named `test`.
    func facts(of context: HandlerContext, _ arguments: [String: String] = [:]) -> HandlerFacts {
        lastContext = context
        return HandlerFacts(
            context, handler: "test", arguments: arguments, scene: scene, deviceName: { _ in "Panel" },
            now: { [application] in application.currentTime })
    }

    /// Shows a layout in place of the previous one. Without a screen it has one of 100 by 100 points.
    func show(_ layout: String) throws {
        let text = layout.contains("screen:") ? layout : "screen: {size: [100, 100]}\n\(layout)"
        let document = try LayoutDocument(text: text, file: "kiosk.yaml", handlers: registry.registeredNames)
        scene?.deactivate()
        let scene = Scene(document, application: application) { [runner] step, context in
            runner.perform(step, for: context)
        }
        runner.load(document)
        runner.scene = scene
        scene.activate()
        self.scene = scene
    }
}

extension HandlerOrigin: ExpressibleByStringLiteral {
    /// A handler by its name.
    public init(stringLiteral name: String) { self.init(name) }
}
