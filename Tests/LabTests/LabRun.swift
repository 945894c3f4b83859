import Foundation
import Testing

/// What a script of the lab printed in the machine, by sections.
struct LabRun: Sendable {
    private var sections: [String: [String]] = [:]

    /// The one run of `lab.sh` that most tests look at.
    static let shared = Task { try await LabRun("lab.sh", builtPrograms, touchd) }
    /// The one of `package.sh`, in a machine that has no touchd before.
    static let package = Task { try await LabRun("package.sh", builtPrograms, try #require(packages)) }

    /// Boots with systemd and runs a script with folders and files as its arguments; the sections are those that
    /// `section.sh` marks.
    init(_ script: String, _ arguments: URL...) async throws {
        let boot = try await Boot.run(
            ["--systemd", "--timeout", "3000", "Tests/Lab/\(script)"] + arguments.map(Self.pathInMachine))
        guard boot.status == 0 else { throw LabError.scriptFailed(boot) }
        var section = ""
        // What systemd's programs write to a terminal ends with a carriage return as well.
        for line in boot.output.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("=== ") {
                section = String(line.dropFirst(4))
                sections[section] = []
            } else {
                sections[section]?.append(String(line))
            }
        }
    }

    /// The lines of a section.
    func lines(_ section: String) throws -> [String] {
        guard let lines = sections[section] else { throw LabError.noSection(section, sections.keys.sorted()) }
        return lines
    }

    /// The touchd in the machine: the one at TOUCHD_LAB_BINARY, for `make test` the release build, or else the one built
    /// with this test.
    static var touchd: URL {
        ProcessInfo.processInfo.environment["TOUCHD_LAB_BINARY"].map {
            URL(filePath: $0, relativeTo: Boot.repository)
        } ?? builtPrograms.appending(path: "touchd")
    }

    /// Where `Tests/Lab/packages` put touchd's packages; nil where TOUCHD_LAB_PACKAGES does not say.
    static var packages: URL? {
        ProcessInfo.processInfo.environment["TOUCHD_LAB_PACKAGES"].map {
            URL(filePath: $0, relativeTo: Boot.repository)
        }
    }

    /// The folder in which the build put its programs, and so this test.
    static var builtPrograms: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    static func pathInMachine(_ file: URL) -> String {
        let path = file.resolvingSymlinksInPath().path
        let repository = Boot.repository.resolvingSymlinksInPath().path
        return path.hasPrefix(repository + "/") ? "/lab" + path.dropFirst(repository.count) : path
    }
}

/// Why there is nothing from the machine to look at.
enum LabError: Error, CustomStringConvertible {
    case scriptFailed(Boot)
    case noSection(String, [String])
    case notAnEntry(String)

    var description: String {
        switch self {
        case .scriptFailed(let boot):
            "the machine's script ended with exit status \(boot.status)\n\(boot.complaint)\n\(boot.output)"
        case .noSection(let name, let others): "no section \(name) was printed, only \(others.joined(separator: ", "))"
        case .notAnEntry(let line): "not an entry of the journal: \(line)"
        }
    }
}
