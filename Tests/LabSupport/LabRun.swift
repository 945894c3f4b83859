import Foundation

/// The output of a lab script in the machine, by section.
package struct LabRun: Sendable {
    private var sections: [String: [String]] = [:]

    /// Runs a script with folders and files as its arguments; `section.sh` marks the sections.
    package init(_ script: String, in place: Boot.Place, _ arguments: URL...) async throws {
        try await self.init(script, in: place, arguments, [])
    }

    /// Runs a script with files and words as its arguments.
    package init(_ script: String, in place: Boot.Place, _ files: [URL], _ words: [String]) async throws {
        let boot = try await Boot.script(script, in: place, files, words)
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
    package func lines(_ section: String) throws -> [String] {
        guard let lines = sections[section] else { throw LabError.noSection(section, sections.keys.sorted()) }
        return lines
    }

    /// The folder of the optimized programs for the emulated machine, TOUCHD_RELEASE; nil outside `make test-lab`.
    package static let release = ProcessInfo.processInfo.environment["TOUCHD_RELEASE"].map {
        URL(filePath: $0, relativeTo: Boot.repository)
    }
    package static var programs: URL { release ?? builtPrograms }
    package static var touchd: URL { programs.appending(path: "touchd") }

    /// Installs touchd for a machine with `make install`, and returns the DESTDIR: a slow machine only has to copy it.
    ///
    /// - Parameters:
    ///   - name: The machine's name; machines of several processes install at the same time.
    ///   - folder: The folder of the built touchd.
    package static func install(for name: String, from folder: URL = programs) throws -> URL {
        let root = builtPrograms.appending(path: "root-\(name)")
        try? FileManager.default.removeItem(at: root)
        // `make install` takes the three programs from one folder; those with an HTTP server are not optimized.
        let programs = builtPrograms.appending(path: "programs-\(name)")
        try? FileManager.default.removeItem(at: programs)
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        for (program, source) in [("touchd", folder), ("touchd-inspect", builtPrograms), ("touchd-web", builtPrograms)]
        {
            try FileManager.default.createSymbolicLink(
                at: programs.appending(path: program), withDestinationURL: source.appending(path: program).absoluteURL)
        }
        let make = Process()
        make.executableURL = URL(filePath: "/usr/bin/make")
        make.arguments = [
            "--silent", "install", "DESTDIR=\(root.path)", "PREFIX=/usr", "BINARY=\(programs.path)/touchd",
        ]
        make.currentDirectoryURL = Boot.repository
        make.standardOutput = FileHandle.nullDevice
        try make.run()
        make.waitUntilExit()
        guard make.terminationStatus == 0 else { throw LabError.notInstalled(root) }
        return root
    }

    /// The folder of touchd's packages from `Tests/Lab/packages`; nil if TOUCHD_LAB_PACKAGES is not set.
    package static var packages: URL? {
        ProcessInfo.processInfo.environment["TOUCHD_LAB_PACKAGES"].map {
            URL(filePath: $0, relativeTo: Boot.repository)
        }
    }

    /// The folder of the built programs, including this test.
    package static var builtPrograms: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    package static func pathInMachine(_ file: URL) -> String {
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
    case notInstalled(URL)
    case notBuilt(String)

    var description: String {
        switch self {
        case .scriptFailed(let boot):
            "the machine's script ended with exit status \(boot.status)\n\(boot.complaint)\n\(boot.output)"
        case .noSection(let name, let others): "no section \(name) was printed, only \(others.joined(separator: ", "))"
        case .notAnEntry(let line): "not an entry of the journal: \(line)"
        case .notInstalled(let root): "make install failed for \(root.path)"
        case .notBuilt(let complaint): "the C++ compiler said: \(complaint)"
        }
    }
}
