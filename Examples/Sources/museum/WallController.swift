import TouchKit

/// The wall: a visitor touches a picture, and sees it large.
final class WallController: ViewController {
    private let frames: KeyValuePairs = [
        "harbour": CGRect(x: 80, y: 120, width: 700, height: 420),
        "market": CGRect(x: 1140, y: 120, width: 700, height: 420),
        "portrait": CGRect(x: 80, y: 600, width: 420, height: 420),
    ]

    override func viewDidLoad() {
        for (name, frame) in frames {
            let picture = Button(frame: frame)
            picture.accessibilityIdentifier = name
            picture.addHandler(for: .primaryActionTriggered, name: "show") { [unowned self] _, _ in show(name) }
            view.addSubview(picture)
        }
    }

    private func show(_ name: String) {
        let picture = PictureController(name)
        addChild(picture)
        picture.view.frame = view.bounds
        view.addSubview(picture.view)
        picture.didMove(toParent: self)
    }
}
