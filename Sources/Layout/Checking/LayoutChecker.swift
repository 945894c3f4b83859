import Foundation

/// Checks the relations between a layout's parts: names are unique and exist, views can be hit, gestures can be
/// recognized, handlers terminate.
nonisolated struct LayoutChecker {
    let document: LayoutDocument
    let references: References
    let builtins: Set<String>
    /// The severity of a program that other users can change; nil to skip this check.
    let foreignFiles: LayoutFinding.Severity?
    /// Whether an earlier error exists, which may be the reason for a view without a frame or a page without views.
    let hasMistakes: Bool

    var findings: FindingList
    var cost: LayoutCost
    var index = LayoutIndex()
    var steps = StepSummary()
    /// The suggestions for names that do not exist; cached, because aliases and grids repeat the names.
    var helps: [String: String] = [:]

    /// - Parameter reader: The reader of the document; the checker continues its findings and its cost.
    init(_ document: LayoutDocument, by reader: LayoutReader, builtins: Set<String>) {
        self.document = document
        self.builtins = builtins
        references = reader.references
        foreignFiles = reader.foreignFiles
        findings = reader.nodes.findings
        cost = reader.nodes.cost
        hasMistakes = findings.hasErrors
    }

    mutating func check(viewCount: Int) {
        index = LayoutIndex(document, viewCount: viewCount, findings: &findings)
        steps = StepSummary(document)
        cost.indexing = index.views.count + index.gestures.count + steps.count
        checkHandlers()
        checkNames()
        checkRedirects()
        checkGestureNames()
        checkTriggers()
        checkReach()
        checkPages()
        checkActions()
        cost.suggestions = LayoutLimit.nearestNameSteps - findings.nearest.effort
    }

    /// Checks published views: their names are unique and exist among them, and their gestures can be recognized.
    ///
    /// The handlers that they run were checked with the layout.
    mutating func checkPublication(viewCount: Int) {
        index = LayoutIndex(document, viewCount: viewCount, findings: &findings)
        checkFacts()
        checkNames()
        checkRedirects()
        checkGestureNames()
    }

    mutating func error(at location: SourceLocation, _ message: String) {
        findings.add(.error, at: location, message)
    }

    mutating func warn(at location: SourceLocation, _ message: String) {
        findings.add(.warning, at: location, message)
    }
}
