import Layout
import TouchKit

// Until the scene has these itself.
extension Scene {
    private struct Unknown: Error {}
    var currentPages: [String] { [] }
    func currentPage(of window: Window?) -> String? { nil }
    func go(to page: String) throws { throw Unknown() }
    func setHidden(_ hidden: Bool, of id: String) throws { view(withIdentifier: id)?.isHidden = hidden }
    func setEnabled(_ enabled: Bool, of id: String) throws {
        view(withIdentifier: id)?.isUserInteractionEnabled = enabled
    }
    func toggle(_ id: String) throws { view(withIdentifier: id)?.isHidden.toggle() }
    func isShown(_ id: String) -> Bool { view(withIdentifier: id)?.isHidden == false }
    func isEnabled(_ id: String) -> Bool { view(withIdentifier: id)?.isUserInteractionEnabled == true }
    func isOn(_ id: String) -> Bool { (view(withIdentifier: id) as? Control)?.isSelected == true }
}
