import Foundation
import Testing

@testable import TestSupport

/// A program in C++ with Qt, built from one file as its first comment says.
final class QtProgram {
    let path: String
    private let folder: TemporaryFolder

    init(_ source: URL, module: String) throws {
        folder = try TemporaryFolder()
        path = folder.url.appending(path: "program").path
        let compiler = try TouchdProgram.run(
            ["-c", "g++ -fPIC '\(source.path)' -o '\(path)' $(pkg-config --cflags --libs \(module))"],
            program: "/bin/sh")
        #expect(compiler.status == 0 && compiler.errors.isEmpty, "\(compiler.errors)")
    }
}
