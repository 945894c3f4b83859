// Ways to have something done when a kiosk is touched.
import Service
import TouchKit

let window = Window(frame: Screen.main.bounds)

// snippet.view
let painting = View(frame: CGRect(x: 300, y: 200, width: 420, height: 300))
window.addSubview(painting)
let token = painting.addHandler(for: .ended, name: "chosen") { touch, _ in
    print("touched at", touch.location(in: painting))
}
painting.removeHandler(token)
// snippet.end

// snippet.control
let start = Button(frame: CGRect(x: 660, y: 800, width: 600, height: 200))
window.addSubview(start)
start.addHandler(for: .primaryActionTriggered) { _, _ in print("start") }
// snippet.end

// snippet.gesture
let doubleTap = TapGestureRecognizer { recognizer in
    print("twice at", recognizer.location(in: painting))
}
doubleTap.numberOfTapsRequired = 2
painting.addGestureRecognizer(doubleTap)

let pan = PanGestureRecognizer()
pan.addHandler(in: [.began, .changed]) { _ in print(pan.translation(in: painting)) }
pan.require(toFail: doubleTap)
painting.addGestureRecognizer(pan)
// snippet.end

// snippet.subclass
final class Painting: View {
    override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        for touch in touches { print("touched at", touch.location(in: self)) }
    }
}
// snippet.end

// snippet.layout
let daemon = Daemon(.init(layout: CommandLine.arguments[1], output: .journal))
daemon.handlers.register("chosen") { touch, _ in
    print("touch", touch.id, "ended on", touch.view?.accessibilityIdentifier ?? "nothing")
}
try daemon.run()
// snippet.end
