import Foundation
import Testing

@testable import TestSupport

/// The examples in the doc comments of the libraries, as a program that depends on touchd would contain them.
@Suite struct DocumentationExampleTests {
    private static let libraries = ["EventLoop", "Evdev", "Service", "TouchKit", "TouchKitTesting"]

    /// A value of each name that an example takes for granted.
    private static let surroundings = """
        import EventLoop
        import Evdev
        import Foundation
        import Glibc
        import Service
        import Testing
        import TouchKit
        import TouchKitTesting

        let application = Application.shared
        let child: pid_t = 2
        let stage = Stage()
        let (thumb, finger) = (stage.finger(), stage.finger())
        let view = View()
        let window = Window(frame: Screen.main.bounds)

        final class Kiosk {
            let startButton = Button()
            init(application: Application) {}
        }


        """

    @Test("the example in a doc comment compiles with what is public")
    func examples() throws {
        let folder = try TemporaryFolder()
        var source = Self.surroundings
        var count = 0
        var programs: [URL] = []
        for library in Self.libraries {
            for (place, code) in try Self.examples(in: library) {
                count += 1
                // `@main` and imports are only allowed at the top of a file.
                if code.contains("@main") {
                    let program = "#sourceLocation(file: \(place))\n\(code)"
                    programs.append(try folder.file("program\(count).swift", program))
                    continue
                }
                source += """
                    func example\(count)(loop: EpollRunLoop) throws {
                    #sourceLocation(file: \(place))
                    \(code)#sourceLocation()
                    }

                    """
            }
        }
        #expect(count > 35)

        let examples = try folder.file("examples.swift", source)
        for file in [examples] + programs {
            let outcome = try TouchdProgram.run(
                ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-default-isolation", "MainActor"]
                    + Self.searchPaths + [file.path], program: "/usr/bin/env")
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    /// Where the compiler finds the libraries that were built beside these tests, and the C libraries below them.
    private static var searchPaths: [String] {
        get throws {
            let sources = TouchdProgram.root.appending(path: "Sources")
            let clang = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted().flatMap { module in
                ["module.modulemap", "include/module.modulemap"].map { sources.appending(path: "\(module)/\($0)").path }
            }.filter(FileManager.default.fileExists).map { "-fmodule-map-file=\($0)" }
            let built = URL(filePath: TouchdProgram.path).deletingLastPathComponent().appending(path: "Modules").path
            return ["-I", built, "-I", "/usr/include/libevdev-1.0"]
                + (clang + ["-I\(sources.path)/CLinux/include"]).flatMap { ["-Xcc", $0] }
        }
    }

    /// The blocks of Swift in a library's doc comments, each with its file and line in the form of `#sourceLocation`.
    private static func examples(in library: String) throws -> [(place: String, code: String)] {
        let folder = TouchdProgram.root.appending(path: "Sources/\(library)")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var examples: [(String, String)] = []
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            var code: String?
            var first = 0
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            for (number, line) in lines.enumerated() {
                let text = line.wholeMatch(of: #/ */// ?(.*)/#).map { String($0.output.1) }
                if text == "```swift" {
                    (code, first) = ("", number + 2)
                } else if text == "```", let block = code {
                    examples.append(("\"\(file.path)\", line: \(first)", block))
                    code = nil
                } else if let text {
                    code?.append("\(text)\n")
                }
            }
        }
        return examples
    }
}
