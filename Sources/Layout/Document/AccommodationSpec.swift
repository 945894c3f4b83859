import TouchKit

/// `accommodations:`, the help for hands that tremble, are slow or weak.
package nonisolated struct AccommodationSpec: Sendable, Equatable {
    /// `enabled:`, whether it helps from the start; otherwise the action `accommodate` turns it on.
    package var isEnabled = true
    /// The settings while accommodations are on.
    package var settings = Accommodations.Settings()
}
