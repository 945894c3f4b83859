import ControlProtocol
import Foundation
import Layout
import TouchKit

/// A page that publishes 2,000 views into an empty slot, at each twentieth call; a call counts a twentieth of it.
enum Publication {
    static let workload = Workload(name: "publish, 2000 views, a twentieth", make: make)

    private static func make() throws -> @MainActor (Int) -> Void {
        let layout = """
            screen: {size: [1920, 1080]}
            views: [{slot: {name: page, handlers: [chosen]}, frame: [0, 0, 1920, 1080]}]
            handlers: {chosen: {log: A seat}}
            """
        let document = try LayoutDocument(text: layout, file: "layout.yaml", handlers: [])
        let scene = Scene(document, application: Application()) { _, _ in }
        scene.activate()
        guard let slot = scene.slot(named: "page") else { throw CocoaError(.featureUnsupported) }
        let owner = NSObject()
        let views = Array("[\((0..<2000).map(view).joined(separator: ","))]".utf8)
        return { time in
            guard time.isMultiple(of: 20) else { return }
            scene.empty(slot)
            do {
                try scene.publish(JSONTree(views), in: slot, by: "bench", owner: owner)
            } catch {
                preconditionFailure("\(error)")
            }
        }
    }

    /// A button as `touchd.js` describes it.
    private static func view(_ number: Int) -> String {
        let (x, y) = (Double(number % 50) * 38.4, Double(number / 50) * 27)
        return #"{"id":"seat-\#(number)","frame":[\#(x),\#(y),36.4,25],"control":"button","on":{"pressed":"chosen"}}"#
    }
}
