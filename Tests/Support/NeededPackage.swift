import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips tests where a Debian package is missing, and says which. A package has a folder of its name in /usr/share/doc.
    static func needs(_ package: String) -> Self {
        .enabled(if: access("/usr/share/doc/\(package)", F_OK) == 0, "needs the package \(package)")
    }
}
