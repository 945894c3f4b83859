import ControlProtocol
import Foundation
import Layout
import TouchKit

/// A page that publishes 2,000 views, at each twentieth call; a call counts a twentieth of it.
enum Publication {
    static let workloads = [
        Workload(name: "publish, 2000 views, a twentieth") {
            let page = try BenchPage(), views = page.views("a")
            return page.twentieth { _ in
                page.empty()
                page.publish(views)
            }
        },
        Workload(name: "publish, 2000 views replaced, a twentieth") {
            let page = try BenchPage(), lists = [page.views("a"), page.views("b")]
            return page.twentieth { page.publish(lists[$0 % 2]) }
        },
        Workload(name: "publish, 2000 views moved, a twentieth") {
            let page = try BenchPage(), lists = [page.views("a"), page.views("a", offset: 1)]
            return page.twentieth { page.publish(lists[$0 % 2]) }
        },
        Workload(name: "move, 2000 views, a twentieth") {
            let page = try BenchPage(), frames = [page.frames("a"), page.frames("a", offset: 1)]
            page.publish(page.views("a"))
            return page.twentieth { page.move(frames[$0 % 2]) }
        },
    ]
}

/// A layout with a slot for a page.
private final class BenchPage {
    private let scene: Scene
    private let slot: Slot
    private let owner = NSObject()

    init() throws {
        let layout = """
            screen: {size: [1920, 1080]}
            views: [{slot: {name: page, handlers: [chosen]}, frame: [0, 0, 1920, 1080]}]
            handlers: {chosen: {log: A seat}}
            """
        let document = try LayoutDocument(text: layout, file: "layout.yaml", handlers: [])
        scene = Scene(document, application: Application()) { _, _ in }
        scene.activate()
        guard let slot = scene.slot(named: "page") else { throw CocoaError(.featureUnsupported) }
        self.slot = slot
    }

    /// Does the work at each twentieth call, with its number; then a touch finds a view.
    func twentieth(_ work: @escaping (Int) -> Void) -> @MainActor (Int) -> Void {
        { [scene] time in
            guard time.isMultiple(of: 20) else { return }
            work(time / 20)
            _ = scene.windows[0].hitTest(CGPoint(x: 10, y: 10), with: nil)
        }
    }

    func empty() { scene.empty(slot) }

    func publish(_ views: [UInt8]) {
        do {
            try scene.publish(JSONTree(views), in: slot, by: "bench", owner: owner)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    func move(_ frames: [String: CGRect]) {
        do { try scene.move(frames, of: owner) } catch { preconditionFailure("\(error)") }
    }

    /// Buttons as `touchd.js` describes them.
    func views(_ name: String, offset: Double = 0) -> [UInt8] {
        let views = (0..<2000).map { number in
            let frame = frame(number, offset)
            return #"{"id":"\#(name)-\#(number)","frame":[\#(frame.minX),\#(frame.minY),36.4,25],"control":"button","#
                + #""on":{"pressed":"chosen"}}"#
        }
        return Array("[\(views.joined(separator: ","))]".utf8)
    }

    func frames(_ name: String, offset: Double = 0) -> [String: CGRect] {
        Dictionary(uniqueKeysWithValues: (0..<2000).map { ("\(name)-\($0)", frame($0, offset)) })
    }

    private func frame(_ number: Int, _ offset: Double) -> CGRect {
        CGRect(x: Double(number % 50) * 38.4 + offset, y: Double(number / 50) * 27, width: 36.4, height: 25)
    }
}
