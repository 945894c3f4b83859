import TouchKit

/// Reads the keys: opens the gate for its number, and locks the pad for a while after three wrong ones.
final class GateController: ViewController {
    private static let secondsOpen = 5.0
    private static let secondsLocked = 30.0

    private let number: String
    private let pad = PadView(frame: CGRect(x: 100, y: 400, width: 600, height: 800))
    private var entry = "" {
        didSet { if entry != oldValue { print("digits: \(entry.count)") } }
    }
    private var wrongEntries = 0
    private var waiting: Application.ScheduledAction?

    init(number: String) {
        self.number = number
        super.init(nibName: nil, bundle: nil)
    }

    override func viewDidLoad() {
        view.addSubview(pad)
        // The pad's keys have no target: what they send comes up the responder chain, to here.
        addAction(PadView.digit) { [unowned self] sender, _ in
            if let key = sender as? Button { enter("\(key.tag)") }
        }
        addAction(PadView.clear) { [unowned self] _, _ in entry = "" }
        addAction(PadView.back) { [unowned self] _, _ in deleteLast() }

        // A stroke to the left on the pad takes a digit back too, and cancels the touch of the key it began on.
        addAction("stroke") { [unowned self] _, _ in deleteLast() }
        let stroke = SwipeGestureRecognizer(target: self, action: "stroke")
        stroke.direction = .left
        pad.addGestureRecognizer(stroke)

        // Staff hold two fingers on the crest above the pad for two seconds.
        let crest = View(frame: CGRect(x: 200, y: 80, width: 400, height: 240))
        crest.accessibilityIdentifier = "crest"
        crest.isMultipleTouchEnabled = true
        addAction("staff") { [unowned self] sender, _ in
            guard let press = sender as? LongPressGestureRecognizer, press.state == .began else { return }
            open(for: "staff")
        }
        let press = LongPressGestureRecognizer(target: self, action: "staff")
        press.minimumPressDuration = 2
        press.numberOfTouchesRequired = 2
        crest.addGestureRecognizer(press)
        view.addSubview(crest)
    }

    private func enter(_ digit: String) {
        entry += digit
        guard entry.count == number.count else { return }
        let isRight = entry == number
        entry = ""
        if isRight { return open(for: "a visitor") }
        wrongEntries += 1
        print("wrong number")
        if wrongEntries == 3 { lock() }
    }

    private func deleteLast() { if !entry.isEmpty { entry.removeLast() } }

    private func open(for whom: String) {
        wrongEntries = 0
        entry = ""
        print("open for \(whom)")
        pad.isUserInteractionEnabled = false
        wait(Self.secondsOpen) { print("closed") }
    }

    private func lock() {
        wrongEntries = 0
        print("locked for \(Int(Self.secondsLocked)) s")
        pad.isUserInteractionEnabled = false
        wait(Self.secondsLocked) { print("unlocked") }
    }

    /// Opens the pad again after some seconds, on the clock that touches have: with a recording, that is the recording's.
    private func wait(_ seconds: Double, then report: @escaping () -> Void) {
        let application = Application.shared
        waiting?.cancel()
        waiting = application.schedule(at: application.currentTime + seconds) { [pad] in
            pad.isUserInteractionEnabled = true
            report()
        }
    }
}
