import LabSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// A test in an emulated machine, which needs optimized programs.
    static var needsLab: Self { .enabled(if: LabRun.release != nil, "runs in an emulated machine: make test-lab") }
}

extension LabRun {
    /// The single run of `kernel.sh`: devices, and touchd without its service.
    static let kernel = Task { try await LabRun("kernel.sh", in: .machine, programs) }
    /// The single run of `installed.sh`: the installed service with uinput.
    static let installed = Task { try await LabRun("installed.sh", in: .machine, programs, install(for: "installed")) }
}
