import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B29 view layout")
struct ViewLayoutTests {
    let stage = Stage()
    let log = CallLog()

    private final class LaidOut: View {
        let log: CallLog
        var onLayout: () -> Void = {}

        init(_ name: String, log: CallLog) {
            self.log = log
            super.init(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
            accessibilityIdentifier = name
        }

        override func layoutSubviews() {
            log.add(accessibilityIdentifier ?? "")
            onLayout()
        }
    }

    @Test("B29 superviews are laid out first, once, before the next touch is hit-tested")
    func superviewsFirst() {
        let (outer, inner) = (LaidOut("outer", log: log), LaidOut("inner", log: log))
        let plain = View(frame: outer.bounds)
        outer.addSubview(plain)
        plain.addSubview(inner)
        stage.window.addSubview(outer)
        inner.frame.origin.x = 500
        outer.onLayout = { inner.frame.origin.x = 0 }
        inner.addHandler(for: .began) { [log] _, _ in log.add("began") }

        stage.taps(at: 1, 1)
        stage.taps(at: 1, 1)

        #expect(log.lines == ["outer", "inner", "began", "began"])
    }

    @Test("B29 a new size, subviews and setNeedsLayout request a layout")
    func marks() {
        let view = LaidOut("view", log: log)
        stage.window.addSubview(view)
        view.layoutIfNeeded()
        log.clear()

        view.center.x += 1
        view.bounds.origin.x += 1
        view.frame.origin.y += 1
        #expect(!view.needsLayout)
        let changes: [() -> Void] = [
            { view.frame.size.width += 1 }, { view.bounds.size.height += 1 }, { view.addSubview(View()) },
            { view.subviews[0].removeFromSuperview() }, { view.setNeedsLayout() },
        ]
        for change in changes {
            change()
            #expect(view.needsLayout)
            stage.window.layoutIfNeeded()
        }

        #expect(log.lines == Array(repeating: "view", count: changes.count))
    }

    @Test("B29 layoutIfNeeded lays out the view and its subviews, and no others")
    func branch() {
        let (left, right) = (LaidOut("left", log: log), LaidOut("right", log: log))
        stage.window.addSubview(left)
        stage.window.addSubview(right)

        left.layoutIfNeeded()

        #expect(log.lines == ["left"] && right.needsLayout)
    }

    @Test("B29 a layout that requests a layout is repeated, but not endlessly")
    func marksItself() {
        let view = LaidOut("view", log: log)
        view.onLayout = { view.setNeedsLayout() }
        stage.window.addSubview(view)

        stage.finger(at: 500, 500)
        let once = log.lines.count
        stage.finger(at: 500, 500)

        #expect(once >= 1 && once <= 2 && log.lines.count > once && log.lines.count <= 2 * once)
    }

    @Test("B29 a hidden window is laid out at the first event after it is shown")
    func hiddenWindow() {
        let window = stage.newWindow()
        window.addSubview(LaidOut("view", log: log))

        stage.taps(at: 1, 1)
        #expect(log.lines.isEmpty)
        window.isHidden = false
        stage.taps(at: 1, 1)

        #expect(log.lines == ["view"])
    }

    @Test("B29 trees of plain views are never marked")
    func plainTrees() {
        let button = Button(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
        stage.window.addSubview(button)
        button.addSubview(View())

        button.frame.size.width = 20
        button.setNeedsLayout()

        #expect(!stage.window.isMarkedForLayout && !stage.application.needsLayout && !button.needsLayout)
    }
}
