import Evdev
import Testing

/// The curves that libinput documents under "Pointer acceleration", and their effect on a mouse.
@Suite("Pointer acceleration")
struct PointerAccelerationTests {
    @Test(
        "The flat profile multiplies by 1 + speed at any velocity, and is never 0",
        arguments: [(-1.0, 0.005), (-0.5, 0.5), (0, 1), (0.5, 1.5), (1, 2)])
    func flat(_ speed: Double, _ factor: Double) {
        let acceleration = PointerAcceleration(profile: .flat, speed: speed)

        for velocity in [0, 0.05, 1, 100] { #expect(acceleration.factor(at: velocity) == factor) }
    }

    @Test(
        "The adaptive profile reduces slow and extends fast motion, up to a limit",
        arguments: [(0.0, 0.3), (0.05, 0.8), (0.07, 1), (0.4, 1), (0.9, 1.55), (5, 2)])
    func adaptive(_ velocity: Double, _ factor: Double) {
        #expect(abs(PointerAcceleration(profile: .adaptive).factor(at: velocity) - factor) < 1e-9)
    }

    @Test("Speed moves the adaptive profile's plateau, incline and limit")
    func adaptiveSpeed() {
        let slowest = PointerAcceleration(profile: .adaptive, speed: -1)
        let fastest = PointerAcceleration(profile: .adaptive, speed: 1)

        #expect(slowest.factor(at: 100) == 0.5)
        #expect(fastest.factor(at: 100) == 3.5)
        #expect(fastest.factor(at: 0.2) == 1)
        #expect(abs(fastest.factor(at: 0.4) - (1 + 0.2 * 1.85)) < 1e-9)
    }

    @Test("A mouse's counts are its points by default")
    func unchanged() {
        var mouse = Feed(.mouse)
        var motion: [PointerMotion] = []
        mouse.report([.relative(0, 3), .relative(1, -40)]) { motion += [$0.pointer].compactMap { $0 } }

        #expect(motion == [.by(x: 3, y: -40)])
    }

    @Test("With the adaptive profile a distance gives more points at higher speed")
    func adaptiveMotion() {
        // The feed reports every 10 ms.
        func distance(countsInReport: Int32) -> (x: Double, y: Double) {
            var mouse = Feed(.mouse, .init(acceleration: PointerAcceleration(profile: .adaptive)))
            var sum = (x: 0.0, y: 0.0)
            for _ in 0..<(120 / countsInReport) {
                mouse.report([.relative(0, countsInReport), .relative(1, countsInReport * 2)]) {
                    if case .by(let x, let y) = $0.pointer { sum = (sum.x + x, sum.y + y) }
                }
            }
            return sum
        }
        let slow = distance(countsInReport: 1), fast = distance(countsInReport: 40)

        #expect(slow.x == 120)
        #expect(fast.x == 240)
        #expect(slow.y == 2 * slow.x && fast.y == 2 * fast.x)
    }

    @Test("After a rest the first report is slower than the motion before the rest")
    func rest() {
        var mouse = Feed(.mouse, .init(acceleration: PointerAcceleration(profile: .adaptive)))
        var last = 0.0
        func move(_ counts: Int32) {
            mouse.report([.relative(0, counts)]) { if case .by(let x, _) = $0.pointer { last = x } }
        }
        move(100)
        move(100)
        #expect(last == 200)
        mouse.wait(milliseconds: 2000)
        move(1)

        #expect(last == 1)
    }
}
