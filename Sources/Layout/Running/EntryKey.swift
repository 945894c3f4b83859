import Foundation

/// What tells an entry from its siblings in another text: its id, otherwise its place.
nonisolated enum EntryKey: Hashable {
    case id(String)
    case frame([CGFloat])

    init(_ spec: ViewSpec) {
        let frame = spec.frame
        self = spec.id.map { .id($0) } ?? .frame([frame.minX, frame.minY, frame.width, frame.height])
    }
}
