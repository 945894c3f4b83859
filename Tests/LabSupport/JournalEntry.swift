import Foundation

/// An entry of the journal as `journalctl -o json` writes it; a field that occurs twice is left out.
package struct JournalEntry: Sendable {
    private let fields: [String: String]

    package init(json line: String) throws {
        guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            throw LabError.notAnEntry(line)
        }
        fields = object.compactMapValues { $0 as? String }
    }

    package subscript(field: String) -> String? { fields[field] }

    /// The facts of a touch on one line: `NUMBER PHASE VIEW X Y DEVICE`.
    package var touch: String {
        ["TOUCH", "PHASE", "VIEW", "X", "Y", "DEVICE"].map { fields["TOUCHD_\($0)"] ?? "-" }.joined(separator: " ")
    }

    /// Whether touchd wrote it for a touch.
    package var isTouch: Bool {
        [MessageID.began, .ended, .cancelled].contains { $0.rawValue == fields["MESSAGE_ID"] }
    }
}

/// The message IDs for journal searches; touchd's are part of its interface and never change.
package enum MessageID: String {
    case began = "96fa9236d3bb4aaa9aff2caea63c8aff"
    case ended = "2d44f8dff13041c482b24b1f0dce8fcc"
    case cancelled = "0dd50a9e1d7d4480b8d1c793b460b8ec"
    case deviceAdded = "dda6be2203ee41d4ad373476e9614667"
    case deviceRemoved = "1ebd3051b9b545958b6eb147392db7db"
    case deviceFailed = "a5d278eab89447558278ab25b4189b9c"
    case layoutLoaded = "c4ef7dc358b0472d9223adcdfc09455c"
    case layoutRefused = "894b5307c9874b6d9d3e6d07c9d2451a"
    case started = "ea3972b462204261b677cd7959cf6e6d"
    case handlerStuck = "7f14c966cdc2417c93f7cc6a412cb439"
    case entriesDropped = "fb0563bd67214981bbcb6b239a567476"
    /// systemd's for a unit (sd-messages.h).
    case unitStarted = "39f53479d3a045ac8e11786248231fbf"
    case unitStopped = "9d1aaa27d60140bd96365438aad20286"
    case unitFailed = "be02cf6855d2428ba40df7e9d022f03d"
    /// systemd's: a unit became inactive, and its process had exited successfully (sd-messages.h).
    case unitSuccess = "7ad2d189f7e94e70a38c781354912448"
}

extension LabRun {
    /// The service's journal entries in order.
    package func journal() throws -> [JournalEntry] { try lines("journal").map(JournalEntry.init(json:)) }

    /// The entries with a message ID.
    package func journal(_ identity: MessageID) throws -> [JournalEntry] {
        try journal().filter { $0["MESSAGE_ID"] == identity.rawValue }
    }
}
