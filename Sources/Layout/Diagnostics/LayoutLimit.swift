/// The limits of a layout; docs/layout.md has the table.
///
/// Each is far above what a layout for people needs, and keeps checking it and every touch on it short.
package nonisolated enum LayoutLimit {
    // MARK: Files

    /// Bytes of one file.
    package static let fileSize = 16 * 1024 * 1024
    /// Bytes of all included files together.
    package static let includedSize = 2 * fileSize
    /// How deep files may include each other.
    package static let includeDepth = 8
    /// How many files may be included, and how many `*.yaml` an included folder may have.
    package static let includeCount = 100

    // MARK: YAML

    /// How deep lists and mappings may be nested: libyaml's own limit, the same with every version of it.
    package static let yamlDepth = 1000
    /// Nodes of one file.
    package static let yamlNodes = 2_000_000
    /// Nodes that reading looks at, each as often as aliases and grids repeat it.
    package static let readingSteps = 10_000_000
    /// Bytes of the expanded layout: its texts, and the memory of views, gestures and handlers.
    package static let expandedSize = 64 * 1024 * 1024

    // MARK: Parts

    /// Views: twice the largest seat map that touchd is built for.
    package static let views = 100_000
    /// How deep views may be nested.
    package static let viewDepth = 200
    /// Screens.
    package static let screens = 32
    /// Gestures of a view and its superviews, since all of them follow a touch on the view.
    package static let gesturesOfTouch = 100
    /// Gestures that one gesture may name in `after-failure-of`, and in `together-with`.
    package static let gestureRelations = 50
    /// Arguments in one `with`.
    package static let arguments = 50
    /// Characters of a name.
    package static let nameLength = 128

    // MARK: Handlers

    /// How deep handlers may run each other.
    package static let handlerDepth = 32
    /// Steps that one occasion may take: each action, handler, condition, place of a fact and 4 KiB of text counts as one.
    package static let occasionSteps = 1000
    /// Bytes of text that count as one step.
    package static let textBytesOfStep = 4096
    /// Bytes of an argument after its facts are filled in.
    package static let argumentSize = 4096

    // MARK: Findings

    /// Errors that one check reports, and warnings.
    package static let findings = 100
    /// Bytes of a message.
    package static let messageSize = 2000
    /// Steps of all searches for names that were probably meant.
    package static let nearestNameSteps = 5_000_000
    /// Steps of the search for views that lie behind others.
    package static let coverSteps = 5_000_000
}
