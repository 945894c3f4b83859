import Foundation
import Testing

@testable import WebServer
@testable import touchd_web

@Suite("The folder of pages") final class SiteFilesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString.prefix(8))")
    private let site: SiteFiles

    init() throws {
        let pages = folder.appending(path: "pages")
        try FileManager.default.createDirectory(at: pages.appending(path: "shop"), withIntermediateDirectories: true)
        for name in ["pages/index.html", "pages/shop/index.html", "pages/a b.css", "pages/.secret", "secret"] {
            try Data(name.utf8).write(to: folder.appending(path: name))
        }
        site = SiteFiles(folder: pages.path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func text(_ path: String) -> String? {
        guard let body = site.response(at: path)?.body, let bytes = body.piece(0..<body.count) else { return nil }
        return String(buffer: bytes)
    }

    @Test("a path is a file, and one that ends with a slash is its index.html")
    func files() {
        #expect(text("/") == "pages/index.html" && text("/index.html") == "pages/index.html")
        #expect(text("/shop/") == "pages/shop/index.html" && text("/a%20b.css") == "pages/a b.css")
        #expect(site.response(at: "/a%20b.css")?.type == "text/css; charset=utf-8")
    }

    @Test(
        "no path leaves the folder, and hidden files do not exist",
        arguments: [
            "/../secret", "/%2e%2e/secret", "/shop/../../secret", "/.secret", "/..%2fsecret", "/shop", "/nothing", "",
            "secret", "/%00", "/index.html%00.css", "//etc/passwd", "/./index.html",
        ])
    func outside(path: String) { #expect(text(path) == nil) }
}
