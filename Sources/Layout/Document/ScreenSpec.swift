import Foundation

/// A screen of the layout.
package nonisolated struct ScreenSpec: Sendable, Equatable {
    /// The screen's name for pages and devices; nil for the only screen, from `screen:`.
    package var name: String?
    /// Width and height in points. A device covers the whole screen, whatever its resolution.
    package var size = CGSize.zero
}
