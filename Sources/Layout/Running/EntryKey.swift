import Foundation

/// The key by which an entry is found again in another text: its id, otherwise its frame.
nonisolated enum EntryKey: Hashable {
    case id(String)
    case frame([CGFloat])

    init(_ spec: ViewSpec) {
        let frame = spec.frame
        self = spec.id.map { .id($0) } ?? .frame([frame.minX, frame.minY, frame.width, frame.height])
    }
}
