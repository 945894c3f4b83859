import ControlProtocol
import Foundation
import Service

/// The journal of a kiosk with the touches of a recording: the output of `touchd run --format journal`, in the format
/// of `journalctl -o export`.
struct ReplayedJournal {
    let text: String
    /// The number of touches that began.
    let touches: Int

    private struct Line: Decodable {
        let time: Double
        let device: String
        let touch: Int
        let phase: String
        let x, y: Double?
        let screen: String?
        let view: String?
    }

    /// Replays a recording to a layout; times are relative to midnight of November 1, 2026.
    init(
        host: String, machine: String, recording: String,
        layout: String = "config/touchd.yaml", boot: String = "0123456789abcdef0123456789abcdef"
    ) throws {
        let arguments = ["run", "--layout", layout, "--replay", recording, "--speed", "max", "--format", "json"]
        var text = "", touches = 0
        for line in try TouchdProgram.run(arguments).touchLines {
            let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            let identity: MessageID
            switch line.phase {
            case "began": identity = .touchBegan
            case "ended": identity = .touchEnded
            case "cancelled": identity = .touchCancelled
            default: continue
            }
            if identity == .touchBegan { touches += 1 }
            let microseconds = Int((line.time * 1_000_000).rounded())
            text += """
                __REALTIME_TIMESTAMP=\(1_793_491_200_000_000 + microseconds)
                __MONOTONIC_TIMESTAMP=\(microseconds)
                _BOOT_ID=\(boot)
                _MACHINE_ID=\(machine)
                _HOSTNAME=\(host)
                _PID=700
                PRIORITY=6
                MESSAGE=touch \(line.touch) \(line.phase)
                MESSAGE_ID=\(identity.rawValue)
                TOUCHD_TOUCH=\(line.touch)
                TOUCHD_PHASE=\(line.phase)
                TOUCHD_VIEW=\(line.view ?? "")
                TOUCHD_DEVICE=\(line.device)
                TOUCHD_TIME=\(line.time)

                """
            if let screen = line.screen { text += "TOUCHD_SCREEN=\(screen)\n" }
            if let x = line.x, let y = line.y { text += "TOUCHD_X=\(x)\nTOUCHD_Y=\(y)\n" }
            text += "\n"
        }
        self.text = text
        self.touches = touches
    }
}
