import Foundation
import Layout
import Testing

/// Files that are not layouts, and their errors.
@Suite final class LayoutFiles: LayoutFolder {
    private func error(at path: String) throws -> LayoutError {
        try #require(throws: LayoutError.self) { try LayoutDocument(path: path, handlers: [String]()) }
    }

    @Test("a missing file is reported as missing")
    func missingFile() throws {
        let path = folder.appending(path: "nowhere.yaml").path
        let error = try error(at: path)
        #expect(error.kind == .unreadable)
        #expect(error.description == "\(path):1:1: error: cannot open the layout: No such file or directory")
    }

    @Test("a FIFO is rejected at once, without waiting for a writer")
    func fifo() throws {
        let path = folder.appending(path: "fifo.yaml").path
        try #require(mkfifo(path, 0o600) == 0)
        #expect(try error(at: path).description.contains("not a regular file"))
    }

    @Test("a device is refused")
    func device() throws {
        #expect(try error(at: "/dev/zero").description.contains("not a regular file"))
    }

    @Test("a file that can be opened but not read is reported")
    func unreadableFile() throws {
        // No process has anything mapped at address 0.
        #expect(
            try error(at: "/proc/self/mem").description
                == "/proc/self/mem:1:1: error: cannot read the layout: Input/output error")
    }

    @Test("a file with a wrong size is read to its end")
    func fileOfTheKernel() throws {
        // Files in /proc have a size of 0; this one is not a layout, but it is one line of YAML.
        #expect(try error(at: "/proc/self/comm").description.contains("the layout must be a mapping"))
    }

    @Test("a folder is rejected")
    func directory() throws {
        #expect(try error(at: folder.path).description.contains("not a regular file"))
    }

    @Test("a file of a gigabyte is rejected by its size, before it is read")
    func hugeFile() throws {
        let path = folder.appending(path: "huge.yaml").path
        let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        try #require(ftruncate(descriptor, 1 << 30) == 0)
        close(descriptor)
        #expect(
            try error(at: path).description.contains(
                "a layout must be at most 16777216 bytes (got 1073741824)"))
    }

    @Test("text that is not UTF-8 is reported at its first invalid character")
    func wrongEncoding() throws {
        let path = folder.appending(path: "latin1.yaml").path
        var bytes = Array("screen:\n  gr".utf8)
        bytes += [0xF6, 0xDF] + Array("e: 1\n".utf8)
        try Data(bytes).write(to: URL(filePath: path))
        #expect(
            try error(at: path).description
                == "\(path):2:5: error: the file is not UTF-8 here; save it as UTF-8")
    }

    @Test("the installed example has no errors and no warnings")
    func exampleLayout() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = try LayoutDocument(path: root.appending(path: "config/touchd.yaml").path, handlers: ["log"])
        #expect(document.warnings == [])
        #expect(document.views.map(\.id) == ["gallery", "bar"])
    }
}
