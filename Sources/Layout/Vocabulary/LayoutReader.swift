import Foundation

/// Reads a layout's text and its included files into a `LayoutDocument`, and reports every error in them.
nonisolated struct LayoutReader {
    /// The values of words, by their positions in a section's table.
    typealias GivenWords = [(position: Int, value: Node)]

    var findings = FindingList()
    /// The cost of reading.
    private(set) var cost = LayoutCost()
    /// Whether a part of a file was not read; it may contain names that seem to be missing.
    private(set) var hidesNames = false
    /// Whether aliases and grids expand the layout beyond its limits.
    private(set) var isTooLarge = false
    /// The mapping that is read.
    var at = SectionVisit()
    /// The position of the word that is read, and of the next given one; here, because every word compares them.
    var position = -1
    var next = Int.max
    /// Whether words are described, and none is read.
    var isDescribing = false
    /// The visits of the mappings around it, to use again.
    var visits: [SectionVisit] = []
    /// The number of mappings around it.
    var depth = 0
    /// The screens of the layout.
    var screens: [ScreenSpec] = []
    /// The names that must exist, for the checker.
    var references = References()
    /// The `defaults:` of the current file, for views and gestures that do not have these words.
    var defaults: (view: GivenWords, gesture: GivenWords) = ([], [])
    /// The cells of the current grids, the innermost last.
    var cells: [GridCell] = []
    /// The files that were read or are being read.
    var sources = Sources()
    /// The first key that is only for forwarded panels.
    var firstForward: Node?
    /// The number of views.
    var viewCount = 0
    /// The severity of a file that belongs to another user or that another user can replace; nil to skip this check.
    var foreignFiles: LayoutFinding.Severity?
    /// The handlers that published views may run; nil while a layout file is read.
    var slotHandlers: Set<String>?
    /// The invalid names of published views, whose entries are left out.
    var refusals = FindingList()

    /// The size of the first screen; a default if the file has an error there, so that reading can continue.
    var firstScreenSize: CGSize { screens.first?.size ?? CGSize(width: 1920, height: 1080) }

    func screenSize(named name: String?) -> CGSize {
        guard let name else { return firstScreenSize }
        return screens.first { $0.name == name }?.size ?? firstScreenSize
    }

    // MARK: Limits

    /// Whether reading must stop.
    var isExhausted: Bool { isTooLarge || findings.isFull }

    /// Counts a visited node and the memory of its result.
    ///
    /// - Parameter bytes: The memory of the result.
    /// - Returns: Whether the layout is within its limits; exceeding them is reported once.
    mutating func charge(_ node: Node, bytes: Int = 0, steps: Int? = nil) -> Bool {
        guard !isTooLarge else { return false }
        cost.reading += steps ?? 1 + node.size / 64
        cost.expandedBytes += bytes
        if cost.reading > LayoutLimit.readingSteps {
            note(
                at: node,
                "aliases and grids repeat more than \(LayoutLimit.readingSteps) nodes of this layout; repeat fewer or "
                    + "smaller parts")
        } else if cost.expandedBytes > LayoutLimit.expandedSize {
            note(
                at: node,
                "aliases and grids expand this layout to more than \(LayoutLimit.expandedSize >> 20) MiB (got "
                    + "\(cost.expandedBytes) bytes up to here); repeat fewer or shorter texts")
        } else {
            return true
        }
        isTooLarge = true
        return false
    }

    // MARK: Findings

    mutating func note(_ severity: LayoutFinding.Severity = .error, at node: Node, _ message: String) {
        note(severity, at: node.location, message)
    }

    mutating func note(_ severity: LayoutFinding.Severity = .error, at location: SourceLocation, _ message: String) {
        // Beyond the limits, missing parts are a consequence of the limits.
        if !isTooLarge { findings.add(severity, at: location, message) }
    }

    /// Reports an invalid value; the result is always nil.
    mutating func invalid<Value>(_ node: Node, _ message: String) -> Value? {
        note(at: node, message)
        return nil
    }

    /// The root of a file's single document; reports an error and returns nil if the text is not YAML.
    mutating func root(of text: String, file: String, ifEmpty: LayoutFinding.Severity = .error) -> Node? {
        guard !isTooLarge else { return nil }
        do throws(LayoutFinding) {
            let root = try YAMLParser.root(
                of: text, file: file, findings: &findings, hidesNames: &hidesNames, steps: &cost.parsing)
            if let root, !root.isNull { return root }
            let message =
                ifEmpty == .error
                ? "the layout is empty; it begins with screen: {size: [WIDTH, HEIGHT]}"
                : "the file is empty, so including it has no effect"
            note(ifEmpty, at: SourceLocation(file: file), message)
        } catch {
            note(at: error.location, error.message)
        }
        return nil
    }
}
