import Evdev
import Testing

@testable import Handlers

@Suite("Pressing keys")
struct VirtualKeyboardTests {
    @Test("Keys are released in reverse order; after a write that failed, those that were pressed are released too")
    func failedPress() throws {
        var seen: [String] = []
        try VirtualKeyboard.press([1, 2]) { code, value in seen.append("\(code)=\(value)") }
        #expect(seen == ["1=1", "2=1", "2=0", "1=0"])
        seen = []
        #expect(throws: VirtualDeviceError.self) {
            try VirtualKeyboard.press([1, 2, 3]) { code, value throws(VirtualDeviceError) in
                seen.append("\(code)=\(value)")
                if code == 2, value == 1 { throw .refused(reason: "full") }
            }
        }
        #expect(seen == ["1=1", "2=1", "2=0", "1=0"])
    }
}
