@testable import TouchKit

/// Plays a scene on TouchKit, and makes changes in the calls that it receives.
protocol Player: AnyObject {
    var application: Application { get }
    var views: [View] { get }
    var recognizers: [GestureRecognizer] { get }
    func log(_ call: String, _ touches: Set<Touch>?)
}

extension Player {
    func log(_ call: String) { log(call, nil) }

    func index(of recognizer: GestureRecognizer) -> Int { recognizers.firstIndex(of: recognizer) ?? -1 }

    func make(_ change: Change) {
        switch change {
        case .remove(let view): if !(views[view] is Window) { views[view].removeFromSuperview() }
        case .add(let view, let parent):
            if !(views[view] is Window), !views[parent].isDescendant(of: views[view]) {
                views[parent].addSubview(views[view])
            }
        case .hide(let view, let isHidden): views[view].isHidden = isHidden
        case .interaction(let view, let isEnabled): views[view].isUserInteractionEnabled = isEnabled
        case .enable(let view, let isEnabled): (views[view] as? Control)?.isEnabled = isEnabled
        case .toFront(let view): views[view].superview?.bringSubviewToFront(views[view])
        case .turn(let recognizer, let isEnabled): recognizers[recognizer].isEnabled = isEnabled
        case .flip(let recognizer):
            recognizers[recognizer].isEnabled = false
            recognizers[recognizer].isEnabled = true
        case .fail(let recognizer): recognizers[recognizer].state = .failed
        case .detach(let recognizer): recognizers[recognizer].view?.removeGestureRecognizer(recognizers[recognizer])
        case .attach(let recognizer, let view): views[view].addGestureRecognizer(recognizers[recognizer])
        case .cancelAll: application.cancelAllTouches()
        case .ignore(true): application.beginIgnoringInteractionEvents()
        case .ignore(false): if application.isIgnoringInteractionEvents { application.endIgnoringInteractionEvents() }
        }
    }
}
