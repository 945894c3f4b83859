/// Collects the initial values of axes, which evemu and libinput write only in comments.
///
/// `# Event type 3 (EV_ABS)`, `#   Event code 0 (ABS_X)`, `#       Value 12`: a value may precede the definition of its
/// axis.
struct AxisValueComments {
    private var type: UInt16?
    private var code: UInt16?
    private var values: [UInt16: Int32] = [:]

    /// The value read for an axis, or 0.
    subscript(code: UInt16) -> Int32 { values[code] ?? 0 }

    /// Reads a comment; ignores one in another format.
    mutating func read(_ line: RecordingLine, _ description: inout DeviceDescription) {
        var scanner = LineScanner(line)
        if scanner.skip(past: "Event type ") {
            type = try? scanner.integer("")
            code = nil
        } else if scanner.skip(past: "Event code ") {
            code = try? scanner.integer("")
        } else if type == EventType.absolute, let code, scanner.skip(past: " Value "),
            let value: Int32 = try? scanner.integer("")
        {
            values[code] = value
            description.axes[code]?.value = value
        }
    }
}
