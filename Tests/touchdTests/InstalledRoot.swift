import Foundation
import Testing

@testable import TestSupport

/// A machine's root with touchd in it, as `make install` leaves it.
enum InstalledRoot {
    /// The one that is copied: an installation takes ten times as long as a copy.
    private static let original = Result {
        let root = newPath()
        let outcome = try TouchdProgram.make("install", in: root)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return root
    }

    /// The path of a root that does not exist yet.
    static func newPath() -> String {
        FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString.prefix(8))").path
    }

    /// Makes a root at a path.
    static func make(at path: String) throws {
        let outcome = try TouchdProgram.run(
            ["--archive", "--reflink=auto", try original.get(), path], program: "/usr/bin/cp")
        try #require(outcome.status == 0, "\(outcome.errors)")
    }
}
