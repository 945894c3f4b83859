import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// A test that boots a machine.
    ///
    /// It fails if the programs for that are missing, unless the user opts out.
    static var needsLab: Self {
        .disabled(
            if: ProcessInfo.processInfo.environment["TOUCHD_SKIP_LAB"] == "1",
            "TOUCHD_SKIP_LAB=1 is set, so no virtual machine was booted")
    }
}
