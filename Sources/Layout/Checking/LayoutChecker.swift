import Foundation

/// What a layout's parts have to agree on among themselves: names that are unique and that exist, views that can be hit,
/// gestures that can be recognized.
nonisolated struct LayoutChecker {
    let document: LayoutDocument
    let references: References
    let builtins: Set<String>
    let viewCount: Int
    /// Whether a mistake was found before, which may be why a view has no frame or a page no views.
    let hasMistakes: Bool

    var findings: [LayoutFinding] = []
    var index = LayoutIndex()
    var steps = StepSummary()

    init(
        document: LayoutDocument, references: References, builtins: Set<String>, viewCount: Int, hasMistakes: Bool
    ) {
        self.document = document
        self.references = references
        self.builtins = builtins
        self.viewCount = viewCount
        self.hasMistakes = hasMistakes
    }

    mutating func check() -> [LayoutFinding] {
        index = LayoutIndex(document, viewCount: viewCount)
        steps = StepSummary(document)
        findings += index.findings
        checkHandlers()
        checkNames()
        checkRedirects()
        checkGestureNames()
        checkTriggers()
        checkReach()
        checkPages()
        return findings
    }

    mutating func error(at location: SourceLocation, _ message: String) {
        findings.append(LayoutFinding(.error, at: location, message))
    }

    mutating func warn(at location: SourceLocation, _ message: String) {
        findings.append(LayoutFinding(.warning, at: location, message))
    }
}
