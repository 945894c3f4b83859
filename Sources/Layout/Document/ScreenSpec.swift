import Foundation

/// A screen of the layout.
package nonisolated struct ScreenSpec: Sendable, Equatable {
    /// The screen's name for pages and devices; nil for the only screen, from `screen:`.
    package var name: String?
    /// Width and height in points. A device covers the whole screen, whatever its resolution.
    package var size = CGSize.zero
    /// `millimeters:`, its width and height in millimeters; nil, the default, if they are not known.
    package var millimeters: CGSize?
    /// `above-floor:`, the height of its lower edge above the floor, in millimeters; nil, the default, if it is not known.
    package var aboveFloor: Double?
}
