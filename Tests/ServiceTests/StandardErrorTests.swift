@testable import ControlProtocol
import Testing

@testable import Service

/// What touchd says where it was started; that a program's talk cannot silence it is the fault `babbling` in the lab.
@Suite("Standard error")
struct StandardErrorTests {
    @Test("in a service each line of what touchd says is an error to journald, and not only the first one")
    func errors() {
        #expect(StandardError.asErrors("a\nb") == "<3>a\n<3>b")
    }
}
