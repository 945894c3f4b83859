import Foundation
import Layout
import Testing

/// Files that are not layouts, their errors, and the hash of those that are.
@Suite final class LayoutFiles: LayoutFolder {
    private func error(at path: String) throws -> LayoutError {
        try #require(throws: LayoutError.self) { try LayoutDocument(path: path, handlers: [String]()) }
    }

    @Test(
        "a path that is no layout's is rejected with the reason",
        arguments: [
            ("/nowhere.yaml", "cannot open the layout: No such file or directory"),
            ("/dev/zero", "not a regular file"), ("/usr", "not a regular file"),
            // No process has anything mapped at address 0.
            ("/proc/self/mem", "cannot read the layout: Input/output error"),
            // Files in /proc have a size of 0; this one is read to its end, which is one line of YAML.
            ("/proc/self/comm", "the layout must be a mapping"),
        ])
    func noLayout(path: String, reason: String) throws {
        let error = try error(at: path)
        #expect(error.description.hasPrefix("\(path):1:1: error: ") && error.description.contains(reason))
        #expect((error.kind == .unreadable) == (path != "/proc/self/comm"))
    }

    @Test("a file of a gigabyte is rejected by its size, before it is read")
    func hugeFile() throws {
        let path = try write("", to: "huge.yaml")
        try #require(truncate(path, 1 << 30) == 0)
        #expect(try error(at: path).description.contains("a layout must be at most 16777216 bytes (got 1073741824)"))
    }

    @Test("text that is not UTF-8 is reported at its first invalid character")
    func wrongEncoding() throws {
        let path = folder.appending(path: "latin1.yaml").path
        try Data("screen:\n  gr".utf8 + [0xF6, 0xDF] + "e: 1\n".utf8).write(to: URL(filePath: path))
        #expect(try error(at: path).description == "\(path):2:5: error: the file is not UTF-8 here; save it as UTF-8")
    }

    @Test(
        "the hash is that of sha256sum, for files of any length",
        arguments: [
            (0, "fa420f6f6f2a"), (28, "6dab1fc0d573"), (29, "dc4abb081341"), (30, "94caa9f86642"), (37, "6099ec87e1be"),
            (38, "4ba6c8fa2c31"), (39, "97a968aa35af"), (1000, "20e03806d00d"),
        ])
    func hash(length: Int, hash: String) throws {
        // The first text has 26 bytes; a block of SHA-256 has 64, of which the last has 9 for the length.
        let path = try write("screen: {size: [10, 10]}\n#" + String(repeating: "x", count: length), to: "kiosk.yaml")
        #expect(try LayoutDocument(path: path, handlers: [String]()).fileHash == hash)
    }

    @Test("the hash covers included files, after the file that includes them; the version is a text")
    func version() throws {
        let path = try write("screen: {size: [10, 10]}\nversion: 1.10\ninclude: part.yaml\n", to: "kiosk.yaml")
        try write("views: []\n", to: "part.yaml")
        let document = try LayoutDocument(path: path, handlers: [String]())
        #expect(document.version == "1.10" && document.fileHash == "0751c0c297a2")
    }

    @Test("JSON with surrogate pairs, as Python and Java write it, is read, and the columns of errors stay")
    func surrogatePairs() throws {
        func layout(_ text: String, _ rest: String = "") -> String {
            #"{"screen": {"size": [9, 9]}, "views": [{"frame": [0, 0, 9, 9], "on": {"began": {"log": \#(text)}}}]\#(rest)}"#
        }
        func steps(_ text: String) throws -> String {
            "\(try LayoutDocument(text: text, file: "kiosk.json", handlers: ["log"]).views[0].on[0].step.kind)"
        }
        let expected = try steps(layout(#""hi 😀 𝄞""#))
        #expect(try steps(layout(#""hi \ud83d\ude00 \uD834\uDD1E""#)) == expected)
        // Here it is a backslash, and a text of letters.
        #expect(try steps(layout(#""\\ud83d\\ude00""#)) == steps(layout(#"'\ud83d\ude00'"#)))
        let columns = try [#""hi \ud83d\ude00""#, #""hi 123456789abc""#].map { text in
            try #require(throws: LayoutError.self) { try steps(layout(text, #", "vews": []"#)) }.description
        }
        #expect(columns[0] == columns[1])
        #expect(throws: LayoutError.self) { try steps(layout(#""\ud83d alone""#)) }
    }
}
