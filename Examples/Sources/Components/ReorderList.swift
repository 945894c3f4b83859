import UIKitNames

/// Rows that are reordered: a long press lifts a row, the finger carries it, and the others make room.
///
/// A finger that moves at once scrolls the list around the rows: the press fails then. A cancelled press puts the row
/// back.
final class ReorderList: UIView {
    private(set) var rows: [UIView]
    var onMove: (_ source: Int, _ destination: Int) -> Void = { _, _ in }
    private let rowHeight: CGFloat
    private let press = UILongPressGestureRecognizer()
    private var lifted: (row: UIView, source: Int, grip: CGFloat)?

    init(rows: [UIView], rowHeight: CGFloat, width: CGFloat) {
        self.rows = rows
        self.rowHeight = rowHeight
        super.init(frame: CGRect(x: 0, y: 0, width: width, height: rowHeight * CGFloat(rows.count)))
        for row in rows { addSubview(row) }
        press.addTarget(self, action: Selector("carry", ReorderList.carry))
        addGestureRecognizer(press)
    }

    override func layoutSubviews() {
        for (index, row) in rows.enumerated() where row !== lifted?.row {
            row.frame = CGRect(x: 0, y: CGFloat(index) * rowHeight, width: bounds.width, height: rowHeight)
        }
    }

    private func carry() {
        let y = press.location(in: self).y
        switch press.state {
        case .began:
            let source = index(at: y)
            lifted = (rows[source], source, y - rows[source].center.y)
            bringSubviewToFront(rows[source])
        case .changed:
            guard let lifted else { return }
            lifted.row.center.y = y - lifted.grip
            move(lifted.row, to: index(at: lifted.row.center.y))
        case .ended:
            guard let (row, source, _) = drop(), let destination = rows.firstIndex(of: row) else { return }
            if source != destination { onMove(source, destination) }
        default:
            if let (row, source, _) = drop() { move(row, to: source) }
        }
    }

    private func drop() -> (row: UIView, source: Int, grip: CGFloat)? {
        defer { lifted = nil }
        setNeedsLayout()
        return lifted
    }

    private func move(_ row: UIView, to index: Int) {
        guard rows[index] !== row else { return }
        rows.removeAll { $0 === row }
        rows.insert(row, at: index)
        setNeedsLayout()
    }

    private func index(at y: CGFloat) -> Int { min(max(Int(y / rowHeight), 0), rows.count - 1) }
}
