import Foundation
import Testing

@testable import TestSupport

/// The page of `touchd check --accessibility --html`, in a real browser.
@Suite(.needs("chromium")) struct AccessibilityPageTests {
    @Test("it prints on one sheet, with any number of findings, and shows names as text")
    func onePage() throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "w", count: 60)
        let views = (0..<40).map {
            "  - {id: \(name)\($0), frame: [\($0 * 10), 0, 9, 9], control: {repeat: {after: 0.2}}}\n"
        }
        let text = "version: <i>spring\nscreen: {size: [1080, 1920]}\nviews:\n\(views.joined())"
        let layout = try folder.file("kiosk.yaml", text)
        let page = try folder.file(
            "page.html", try TouchdProgram.run(["check", "--accessibility", "--html", layout.path]).output)
        let browser = try Chromium(width: 900, height: 1200)
        try browser.open(page.absoluteString, until: "document.readyState === 'complete'")
        #expect(try browser.printedPages() == 1)
        #expect(try browser.evaluate("document.querySelectorAll('tr').length") as? Int == 13)
        #expect(try browser.isTrue("document.body.innerText.includes('<i>spring') && !document.querySelector('i')"))
        #expect(try browser.isTrue("document.body.innerText.includes('88 more')"))
    }
}
