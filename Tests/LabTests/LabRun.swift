import Foundation
import Testing

/// The output of a lab script in the machine, by section.
struct LabRun: Sendable {
    private var sections: [String: [String]] = [:]

    /// The single run of `kernel.sh`: devices, and touchd without its service.
    static let kernel = Task { try await LabRun("kernel.sh", programs, touchd) }
    /// The single run of `installed.sh`: the installed service.
    static let installed = Task { try await LabRun("installed.sh", programs, touchd, builtPrograms) }
    /// The single run of `package.sh`, in a machine without touchd.
    static let package = Task { try await LabRun("package.sh", programs, try #require(packages)) }

    /// Boots with systemd and runs a script with folders and files as its arguments; `section.sh` marks the sections.
    init(_ script: String, _ arguments: URL...) async throws {
        let boot = try await Boot.run(
            ["--systemd", "--timeout", "3000", "Tests/Lab/\(script)"] + arguments.map(Self.pathInMachine))
        guard boot.status == 0 else { throw LabError.scriptFailed(boot) }
        var section = ""
        // systemd's programs end lines on a terminal with a carriage return as well.
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

    /// The folder of the programs for the machine: TOUCHD_RELEASE (the release build for `make test`), otherwise
    /// `builtPrograms`.
    static var programs: URL {
        ProcessInfo.processInfo.environment["TOUCHD_RELEASE"].map {
            URL(filePath: $0, relativeTo: Boot.repository)
        } ?? builtPrograms
    }
    static var touchd: URL { programs.appending(path: "touchd") }

    /// The folder of touchd's packages from `Tests/Lab/packages`; nil if TOUCHD_LAB_PACKAGES is not set.
    static var packages: URL? {
        ProcessInfo.processInfo.environment["TOUCHD_LAB_PACKAGES"].map {
            URL(filePath: $0, relativeTo: Boot.repository)
        }
    }

    /// The folder of the built programs, including this test.
    static var builtPrograms: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    static func pathInMachine(_ file: URL) -> String {
        let path = file.resolvingSymlinksInPath().path
        let repository = Boot.repository.resolvingSymlinksInPath().path
        return path.hasPrefix(repository + "/") ? "/lab" + path.dropFirst(repository.count) : path
    }
}

/// Why there is no output from the machine.
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
