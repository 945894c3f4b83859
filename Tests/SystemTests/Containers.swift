import Foundation
import LabSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// A test in a container.
    static var needsContainer: Self {
        .enabled(
            if: getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-nspawn"),
            "needs root and the package systemd-container: make test-system")
    }
}

extension LabRun {
    /// The single run of each script, in a separate container.
    static let service = Task { try await container("service.sh") }
    static let stuck = Task { try await container("stuck.sh") }
    static let security = Task { try await container("security.sh") }
    static let webUsers = Task { try await container("web-users.sh") }
    static let day = Task { try await container("day.sh") }
    static let tutorial = Task { try await container("tutorial.sh") }
    /// The run of `package.sh`, in a container without touchd.
    static let package = Task { try await LabRun("package.sh", in: .container, builtPrograms, #require(packages)) }

    /// Runs a script with the programs beside this test, and a touchd to install.
    private static func container(_ script: String) async throws -> LabRun {
        try await LabRun(script, in: .container, builtPrograms, install(for: script))
    }
}
