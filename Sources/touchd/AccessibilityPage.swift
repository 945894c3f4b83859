import Layout
import Reports

/// The check of a layout's accessibility as HTML that prints on one page (A4).
struct AccessibilityPage {
    /// As many findings as fit beside the picture.
    private static let mostFindings = 12

    let document: LayoutDocument
    let file: String
    let findings: [LayoutFinding]

    var html: String {
        var drawn = document
        drawn.warnings = findings
        let rows = findings.prefix(Self.mostFindings).map { finding in
            var words = finding.message.split(separator: ": ", maxSplits: 1)
            // Other warnings have no clause.
            if words[0].prefixMatch(of: /[0-9]|WCAG/) == nil { words = ["", finding.message[...]] }
            let isHere = finding.location.file == file
            let place = isHere ? "\(finding.location.line):\(finding.location.column)" : "\(finding.location)"
            return "<tr><td>☐<td>\(text(place))<td>\(text(words[0]))<td><div>\(text(words.last ?? ""))</div>"
        }
        let others = findings.count - rows.count
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <title>Accessibility of \(text(file))</title>
            <style>
            @page { size: A4; margin: 12mm }
            body { font: 9pt/1.3 sans-serif; max-width: 186mm; margin: auto }
            h1 { font-size: 14pt } h2 { font-size: 11pt; margin: 3mm 0 1mm }
            svg { float: right; width: 50mm; max-height: 85mm; margin-left: 5mm }
            table { border-collapse: collapse } td, th { text-align: left; vertical-align: top; padding: 0.5mm 3mm 0.5mm 0 }
            td:nth-child(-n+3) { white-space: nowrap } td:last-child { overflow-wrap: anywhere }
            td div { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden }
            ul { list-style: "☐ "; padding-left: 5mm; margin: 0 }
            </style>
            <h1>Accessibility of \(text(file))</h1>
            \(LayoutDrawing(drawn).svg().drop { $0 != "\n" })
            <p>\(text(document.version.map { "Version \($0), hash" } ?? "Hash")) \(document.fileHash). \
            Clauses are those of \(AccessibilityCheck.edition), criteria those of WCAG 2.2. This page does not \
            replace a trial by people who need it.
            <h2>\(findings.isEmpty ? "Nothing is wrong in the layout" : "Wrong in the layout")</h2>
            <table>
            \(findings.isEmpty ? "" : "<tr><th><th>Line<th>Clause<th>What to do")
            \(rows.joined(separator: "\n"))
            </table>
            \(others > 0 ? "<p>\(others) more: <code>touchd check --accessibility \(text(file))</code>" : "")
            <h2>To be tried at the kiosk</h2>
            <ul>
            \(AccessibilityCheck.unknown(document).map { "<li>\(text($0))" }.joined(separator: "\n"))
            </ul>
            <p>Date, name: ____________________________________________
            </html>

            """
    }

    private func text(_ text: some StringProtocol) -> String { SVGWriter.escaped(String(text)) }
}
