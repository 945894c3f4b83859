import Foundation

/// Tells which classes answer hit-tests in ways of their own, so that they are asked as the rules have it, and no others.
///
/// A class overrides a method exactly if its own table of methods has another entry there than its superclass's has.
/// Where in the table an entry is depends on the compiler, so it is looked up once, in classes that are known to
/// override it; where that finds nothing, every class but those of this module counts as overriding. An override of a
/// property that hit-testing reads counts as well: its getter may answer what it likes, and may note that it was asked.
enum HitTestOverrides {
    /// The entries that hit-testing depends on, in a view and in a control, as they are where nothing is overridden.
    private static let plainView = MethodTable(View.self).entries(
        from: PlainView.self,
        in: [
            HitTestView.self, PointInsideView.self, HiddenView.self, AlphaView.self, InteractionView.self,
        ])
    private static let plainControl = MethodTable(Control.self).entries(
        from: PlainControl.self, in: [EnabledControl.self])

    /// Whether a class overrides anything that hit-testing asks of a view.
    static func exist(in type: View.Type) -> Bool {
        if type == View.self || type == Control.self || type == Button.self { return false }
        guard let plainView, let plainControl else { return true }
        let table = MethodTable(type)
        guard table.matches(plainView) else { return true }
        return type is Control.Type && !table.matches(plainControl)
    }
}

/// What a class's metadata holds after its header: the methods that calls are looked up in.
///
/// The layout is that of `TargetClassMetadata` in Swift's `include/swift/ABI/Metadata.h` without Objective-C: kind,
/// superclass, flags, address point and sizes, descriptor, destroyer, then the methods, a superclass's first.
private struct MethodTable {
    /// An entry and where it is, in words from the metadata's address point.
    typealias Entry = (place: Int, word: UInt)

    /// The words of the header.
    private static let headerWords = 7

    private let words: UnsafePointer<UInt>

    /// Makes the table of a class; a class's metadata is never freed.
    init(_ type: View.Type) { words = unsafeBitCast(type as AnyClass, to: UnsafePointer<UInt>.self) }

    /// How many words there are from the address point; 0 if the header is not as it is known.
    private var count: Int {
        let sizes = words[4]
        let (size, addressPoint) = (Int(sizes & 0xFFFF_FFFF), Int(sizes >> 32))
        guard addressPoint < size, size < 1 << 16 else { return 0 }
        return (size - addressPoint) / MemoryLayout<UInt>.stride
    }

    /// The entries that each of some classes overrides and a subclass that overrides nothing leaves as they are; nil if
    /// one class's are not found.
    func entries(from plain: View.Type, in overriding: [View.Type]) -> [Entry]? {
        let plain = MethodTable(plain)
        guard plain.count >= count else { return nil }
        var entries: [Entry] = []
        for type in overriding {
            let other = MethodTable(type)
            guard other.count >= count else { return nil }
            let found = (Self.headerWords..<max(Self.headerWords, count)).filter {
                words[$0] == plain.words[$0] && words[$0] != other.words[$0]
            }
            guard (1...3).contains(found.count) else { return nil }
            entries += found.map { ($0, words[$0]) }
        }
        return entries
    }

    func matches(_ entries: [Entry]) -> Bool { entries.allSatisfy { words[$0.place] == $0.word } }
}

private final class PlainView: View {}
private final class PlainControl: Control {}

private final class HitTestView: View {
    override func hitTest(_ point: CGPoint, with event: Event?) -> View? { nil }
}

private final class PointInsideView: View {
    override func point(inside point: CGPoint, with event: Event?) -> Bool { false }
}

private final class HiddenView: View {
    override var isHidden: Bool { didSet {} }
}

private final class AlphaView: View {
    override var alpha: CGFloat { didSet {} }
}

private final class InteractionView: View {
    override var isUserInteractionEnabled: Bool { didSet {} }
}

private final class EnabledControl: Control {
    override var isEnabled: Bool { didSet {} }
}
