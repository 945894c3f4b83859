import UIKitNames

/// A window in front of all others that sees every event before its views.
class AlertWindow: UIWindow {
    private(set) var eventCount = 0

    override init(frame: CGRect) {
        super.init(frame: frame)
        windowLevel = UIWindow.Level.alert + 1
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func sendEvent(_ event: UIEvent) {
        if event.type == .touches { eventCount += 1 }
        super.sendEvent(event)
    }
}
