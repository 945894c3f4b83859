import Foundation

/// A script of `Tests/Lab` that ran in the machine, and the sections of what it printed.
struct LabRun: Sendable {
    private let sections: [Substring: [String]]

    /// The run in which uinput-play plays to evtest; one for all tests that look at it.
    static let uinput = Task { try await LabRun("uinput.sh", arguments: [guestPath(of: builtPrograms)]) }

    /// Boots with systemd and runs a script that prints sections, as `section.sh` makes them.
    init(_ script: String, arguments: [String]) async throws {
        let boot = try await Boot.run(["--systemd", "--timeout", "300", "Tests/Lab/\(script)"] + arguments)
        guard boot.status == 0 else { throw LabError.scriptFailed(script, boot) }
        sections = boot.output.split(separator: "=== ").reduce(into: [:]) { sections, part in
            let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
            sections[lines[0]] = lines.dropFirst().filter { !$0.isEmpty }.map(String.init)
        }
    }

    /// The lines of a section.
    func lines(_ section: String) throws -> [String] {
        guard let lines = sections[section[...]] else { throw LabError.noSection(section, sections.keys.sorted()) }
        return lines
    }

    /// The folder in which the build put its programs, and so this test.
    private static var builtPrograms: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// Where the machine has a file of this one.
    private static func guestPath(of file: URL) -> String {
        let repository = Boot.repository.resolvingSymlinksInPath().path
        guard file.path.hasPrefix(repository + "/") else { return file.path }
        return "/lab" + file.path.dropFirst(repository.count)
    }
}

/// Why there is nothing from the machine to look at.
enum LabError: Error, CustomStringConvertible {
    case scriptFailed(String, Boot)
    case noSection(String, [Substring])

    var description: String {
        switch self {
        case .scriptFailed(let script, let boot):
            "Tests/Lab/\(script) ended with exit status \(boot.status)\n\(boot.complaint)\n\(boot.output)"
        case .noSection(let name, let others): "no section \(name) was printed, only \(others.joined(separator: ", "))"
        }
    }
}
