import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// A test that boots a machine.
    ///
    /// It fails where the programs for that are missing; who wants to go without says so.
    static var needsLab: Self {
        .disabled(
            if: ProcessInfo.processInfo.environment["TOUCHD_SKIP_LAB"] == "1",
            "TOUCHD_SKIP_LAB=1 is set, so no virtual machine was booted")
    }
}
