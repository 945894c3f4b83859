import Foundation
import Layout
import Testing

/// `version:` and the hash of the files.
@Suite final class LayoutVersion: LayoutFolder {
    private func digest(_ files: [String]) throws -> String {
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "cat \"$@\" | sha256sum", "sh"] + files
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text.prefix(12), as: UTF8.self)
    }

    @Test("the hash is that of sha256sum, for files of any length", arguments: [0, 1, 54, 55, 56, 63, 64, 65, 1000])
    func hash(length: Int) throws {
        let path = folder.appending(path: "kiosk.yaml").path
        let comment = length == 0 ? "" : "#" + String(repeating: "ü", count: (length - 1) / 2)
        let text = "screen: {size: [10, 10]}\n" + comment + (length % 2 == 0 && length > 0 ? "x" : "")
        try Data(text.utf8).write(to: URL(filePath: path))
        let document = try LayoutDocument(path: path, handlers: [String]())
        #expect(try document.fileHash == digest([path]))
    }

    @Test("the hash covers included files, after the file that includes them; the version is a text")
    func includes() throws {
        let path = folder.appending(path: "kiosk.yaml").path
        let part = folder.appending(path: "part.yaml").path
        try Data("screen: {size: [10, 10]}\nversion: 1.10\ninclude: part.yaml\n".utf8).write(to: URL(filePath: path))
        try Data("views: []\n".utf8).write(to: URL(filePath: part))
        let document = try LayoutDocument(path: path, handlers: [String]())
        #expect(document.version == "1.10")
        #expect(try document.fileHash == digest([path, part]))
    }
}
