import Foundation

/// What a layout's parts have to agree on among themselves: names that are unique and that exist, views that can be hit,
/// gestures that can be recognized, handlers that come to an end.
nonisolated struct LayoutChecker {
    let document: LayoutDocument
    let references: References
    let builtins: Set<String>
    /// How severe it is that others can change a program; nil to ignore that.
    let foreignFiles: LayoutFinding.Severity?
    /// Whether an error was found before, which may be why a view has no frame or a page no views.
    let hasMistakes: Bool

    var findings: FindingList
    var cost: LayoutCost
    var index = LayoutIndex()
    var steps = StepSummary()
    /// What was found to help with names that do not exist; aliases and grids repeat them.
    var helps: [String: String] = [:]

    /// - Parameter reader: What read the document; its findings and its cost are added to.
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

    mutating func error(at location: SourceLocation, _ message: String) {
        findings.add(.error, at: location, message)
    }

    mutating func warn(at location: SourceLocation, _ message: String) {
        findings.add(.warning, at: location, message)
    }
}
