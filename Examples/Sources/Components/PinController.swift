import UIKitNames

/// A pad of ten digits and a key that deletes: one digit, or all of them after a long press.
///
/// The keys send their actions up the responder chain. Each is exclusive: a second finger presses no key before the
/// first is lifted. A keyboard types digits, too.
final class PinController: UIViewController {
    private(set) var code = ""
    var onCode: (String) -> Void = { _ in }
    private let length: Int

    init(length: Int) {
        self.length = length
        super.init(nibName: nil, bundle: nil)
        addAction("digit") { [unowned self] sender, _ in if let key = sender as? UIView { type(key.tag) } }
        addAction("delete") { [unowned self] _, _ in code = String(code.dropLast()) }
        addAction("clear") { [unowned self] sender, _ in
            if (sender as? UIGestureRecognizer)?.state == .began { code = "" }
        }
    }

    override var canBecomeFirstResponder: Bool { true }

    override func viewDidLoad() {
        for digit in 1...9 { addKey(row: (digit - 1) / 3, column: (digit - 1) % 3, digit) }
        addKey(row: 3, column: 1, 0)
        let delete = addKey(row: 3, column: 2, nil)
        // When the press begins, it cancels the key's touch: the key sends no action then.
        delete.addGestureRecognizer(UILongPressGestureRecognizer(target: nil, action: "clear"))
    }

    override func viewDidAppear(_ animated: Bool) { becomeFirstResponder() }

    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        var others: Set<UIPress> = []
        for press in presses {
            guard let key = press.key else { continue }
            // The kernel's codes: KEY_1 to KEY_9 are 2 to 10, KEY_0 is 11, KEY_BACKSPACE is 14.
            switch key.code {
            case 2...11: type(Int(key.code - 1) % 10)
            case 14: code = String(code.dropLast())
            default: others.insert(press)
            }
        }
        if !others.isEmpty { super.pressesBegan(others, with: event) }
    }

    @discardableResult
    private func addKey(row: Int, column: Int, _ digit: Int?) -> UIButton {
        let key = UIButton(frame: CGRect(x: 100 * column, y: 100 * row, width: 100, height: 100))
        key.setTitle(digit.map(String.init) ?? "⌫", for: .normal)
        key.isExclusiveTouch = true
        key.tag = digit ?? -1
        key.addTarget(nil, action: digit == nil ? "delete" : "digit", for: .touchUpInside)
        view.addSubview(key)
        return key
    }

    private func type(_ digit: Int) {
        code += "\(digit)"
        guard code.count == length else { return }
        onCode(code)
        code = ""
    }
}
