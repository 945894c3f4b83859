import Testing

@Suite("Live devices, recorded and replayed")
struct CircleTests {
    @Test("A recording of a random device from any moment on replays the touches that the device gave")
    func circle() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let lines = try LivePathTests().live(["--circle", "\(seed)", "500"])
        let compared = lines.suffix(4).map { $0.split(separator: " ") }
        #expect(
            lines.count == 4,
            "umockdev-wrapper EvdevProbe --circle \(seed) 500 repeats it and prints the recordings")
        #expect(compared.map(\.first) == ["touchd", "kept", "evemu", "libinput"])
        // The number of changes is the device's choice; most of them are compared.
        #expect(compared.allSatisfy { $0.last.flatMap { Int($0) } ?? 0 > 100 })
    }
}
