@testable import ControlProtocol
import Testing

@testable import Service

/// touchd's standard error. The lab's fault `babbling` tests that a noisy program cannot silence it.
@Suite("Standard error")
struct StandardErrorTests {
    @Test("in a service each line on standard error has error priority in journald")
    func errors() {
        #expect(StandardError.asErrors("a\nb") == "<3>a\n<3>b")
    }
}
