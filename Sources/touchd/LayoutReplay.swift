import Recordings
import EventLoop
import Layout
import TouchKit

/// A recording delivered to a layout without running handlers, so that it shows the same page throughout.
@MainActor
struct LayoutReplay {
    private let scene: Scene

    /// - Parameter page: the page that its screen shows; by default the screen's first.
    init(_ document: LayoutDocument, page: String? = nil) throws {
        scene = Scene(document) { _, _ in }
        if let page { try scene.go(to: page) }
    }

    /// The window for a screen of the layout.
    func window(of screen: ScreenSpec) -> Window? {
        scene.document.screens.firstIndex(of: screen).map { scene.windows[$0] }
    }

    /// Delivers a whole recording as fast as it can be read, to the screen that the rules choose for its device.
    func run(_ path: String, observer: any DeliveryObserver) throws {
        let reader = try RecordingReader(path: path), application = Application.shared
        scene.activate()
        defer { scene.deactivate() }
        application.observers = [observer]
        defer { application.observers = [] }
        let played = application.play(reader, path: path, rules: scene.document.devices, on: .main) { device in
            scene.screen(named: device.settings.target) ?? .main
        }
        if let failure = played.failure { throw failure }
    }
}
