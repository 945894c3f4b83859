import Foundation
import Logging

extension TouchFacts {
    /// The facts under the names of the journal's fields and of a command's environment variables.
    public var fields: [(name: String, value: String)] {
        [
            ("TOUCHD_TOUCH", "\(touch)"),
            ("TOUCHD_PHASE", phase.word),
            ("TOUCHD_VIEW", view ?? ""),
            ("TOUCHD_X", Self.coordinate(location.x)),
            ("TOUCHD_Y", Self.coordinate(location.y)),
            ("TOUCHD_DEVICE", device),
            ("TOUCHD_TIME", timestamp),
        ]
    }

    /// A coordinate in points, to the hundredth: finer than any panel, and short enough to read.
    public static func coordinate(_ value: CGFloat) -> String { "\((value * 100).rounded() / 100)" }

    var environment: [String] { fields.map { "\($0.name)=\($0.value)" } }

    var metadata: Logger.Metadata {
        Dictionary(uniqueKeysWithValues: fields.map { ($0.name, .string($0.value)) })
    }
}
