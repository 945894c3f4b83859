import Testing

@testable import EventLoop

/// How a suspension is detected; the lab suspends a machine (`Tests/Lab/resume.sh`).
@Suite("Resume")
struct ResumeSourceTests {
    @Test(
        "A suspension lasts as long as the boot clock gained, and is reported once; setting a clock is not a suspension",
        arguments: [
            ([65_000_000_000, 65_000_000_000, 65_250_000_000], [.seconds(60), nil, .milliseconds(250)]),
            ([5_000_000_000, 5_000_900_000, 4_999_000_000], [nil, nil, nil]),
        ] as [([Int64], [Duration?])])
    func slept(readings: [Int64], suspensions: [Duration?]) {
        var meter = SleepMeter(since: .init(sleep: 5_000_000_000))

        #expect(readings.map { meter.slept(until: .init(sleep: $0)) } == suspensions)
    }

    @Test("Small reading errors do not add up to a suspension")
    func errorsDoNotAddUp() {
        var meter = SleepMeter(since: .init(sleep: 0))

        for round in 1...1000 {
            #expect(meter.slept(until: .init(sleep: round % 2 == 0 ? 0 : 900_000)) == nil)
        }
    }

    @Test("The two clocks of this machine, read a thousand times, show no suspension")
    func readings() {
        var meter = SleepMeter()

        #expect((0..<1000).allSatisfy { _ in meter.slept(until: .now) == nil })
    }
}
