import LabSupport
import Testing

/// Keys that handlers press through the kernel; `Tests/Lab/emit.sh` touches the panel.
@Suite("Keys pressed by handlers, in a booted machine", .needsLab)
struct EmitTests {
    @Test("the keys of an emit go down in order and up in reverse, each in its own frame")
    func keys() async throws {
        // Eight 16-bit words of time, then type, code, and the value in two halves.
        let events = try await LabRun.kernel.value.lines("emitted")
            .map { $0.split(separator: " ").dropFirst(8).joined(separator: " ") }

        #expect(
            events == [
                "1 29 1 0", "0 0 0 0", "1 46 1 0", "0 0 0 0", "1 46 0 0", "0 0 0 0", "1 29 0 0", "0 0 0 0",
            ])
    }

    @Test("touchd leaves its own keyboard alone, and takes it away when it ends")
    func keyboard() async throws {
        let run = try await LabRun.kernel.value

        #expect(try run.lines("emit-keyboard").joined().contains("touchd's own device"))
        #expect(try run.lines("emit-left") == [])
        #expect(try run.lines("emit-log").allSatisfy { !$0.contains("keyboard") && !$0.contains("handler") })
    }

    @Test("without write access to /dev/uinput touchd runs and names the missing udev rule")
    func permission() async throws {
        let lines = try await LabRun.kernel.value.lines("emit-refused")

        #expect(lines.first?.contains("may not write to /dev/uinput; copy 70-touchd-forward.rules") == true)
        #expect(lines.last?.contains("emit: no key was sent: touchd's user may not write") == true)
    }

    @Test("in a service without the drop-in touchd runs and names the drop-in")
    func sandbox() async throws {
        let lines = try await LabRun.kernel.value.lines("emit-hidden")

        #expect(lines.contains { $0.contains("the service may not use /dev/uinput; copy touchd-emit.conf") })
    }
}
