import Basics

/// The limits of a layout; docs/layout.md has the table.
///
/// Each is far above the needs of a real layout. Together they bound the time of a check and of every touch.
package nonisolated enum LayoutLimit {
    // MARK: Files

    /// Bytes in one file.
    package static let fileSize = 16 * 1024 * 1024
    /// Bytes in all included files together.
    package static let includedSize = 2 * fileSize
    /// The maximum depth of nested includes.
    package static let includeDepth = 8
    /// The maximum number of included files, and of `*.yaml` files in an included folder.
    package static let includeCount = 100

    // MARK: YAML

    /// The maximum depth of nested lists and mappings; libyaml's limit, the same in all its versions.
    package static let yamlDepth = 1000
    /// Nodes in one file.
    package static let yamlNodes = 2_000_000
    /// Visited nodes; aliases and grids count as often as they repeat.
    package static let readingSteps = 10_000_000
    /// Bytes of the expanded layout: its text, and the memory of views, gestures and handlers.
    package static let expandedSize = 64 * 1024 * 1024

    // MARK: Published views

    /// Views in one slot.
    package static let publishedViews = 2000
    /// Keys of one object.
    package static let jsonKeys = 100

    // MARK: Parts

    /// Views: several times those of the largest seat map or map of shops that a screen can show.
    package static let views = 10_000
    /// The maximum depth of nested views.
    package static let viewDepth = 200
    /// The scales of a view and its superviews, multiplied, with a tolerance for rounding; all places stay finite.
    package static let scales = 0.000_000_999...1_000_001
    /// Corners of a polygon: the outline of an element that many others cover.
    package static let corners = 4000
    /// Screens.
    package static let screens = 32
    /// Gestures of a view and its superviews, because all of them track a touch on the view.
    package static let gesturesOfTouch = 100
    /// Gestures in one `after-failure-of`, and in one `together-with`.
    package static let gestureRelations = 50
    /// Arguments in one `with`.
    package static let arguments = 50
    /// Characters in a name.
    package static let nameLength = 128

    // MARK: Handlers

    /// The maximum depth of handlers that run other handlers.
    package static let handlerDepth = 32
    /// Steps for one event: each action, handler, condition, placeholder and 4 KiB of text counts as one.
    package static let stepsPerEvent = 1000
    /// Bytes of text that count as one step.
    package static let textBytesOfStep = 4096
    /// Bytes in an argument after its placeholders are filled in.
    package static let argumentSize = 4096

    // MARK: Findings

    /// Errors, and warnings, that one check reports.
    package static let findings = 100
    /// Bytes in a message.
    package static let messageSize = 2000
    /// Steps of all searches for similar names.
    package static let nearestNameSteps = NearestName.steps
    /// Steps of the search for views that are behind others.
    package static let coverSteps = 5_000_000
}
