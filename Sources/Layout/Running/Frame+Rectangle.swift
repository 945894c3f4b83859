import ControlProtocol
import Foundation

nonisolated extension Frame {
    /// The frame of a view.
    package init(_ rect: CGRect) { self.init(x: rect.minX, y: rect.minY, width: rect.width, height: rect.height) }
}

nonisolated extension CGRect {
    /// A frame of a message.
    package init(_ frame: Frame) { self.init(x: frame.x, y: frame.y, width: frame.width, height: frame.height) }
}
