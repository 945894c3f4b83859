/// The parts of Evdev that are fed with arbitrary bytes: by libFuzzer in `make fuzz`, and with its corpus in every test
/// run.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// The decoder and the filter behind it, with any device and any events.
    case decoder
    /// A recording in evemu's text.
    case evemu
    /// A recording in the YAML of `libinput record`.
    case libinput
    /// The output of evtest.
    case evtest

    /// Feeds the bytes; returns the first violation, or nil.
    ///
    /// For any input, each contact that began and each key that was pressed ends once, and positions are in the unit
    /// square.
    public func violation(_ bytes: UnsafeRawBufferPointer) -> String? {
        switch self {
        case .decoder: EventScript.violation(bytes)
        case .evemu: FuzzedRecording.violation(bytes, after: "# EVEMU 1.3\n")
        case .libinput: FuzzedRecording.violation(bytes, after: "# libinput record\n")
        case .evtest: FuzzedRecording.violation(bytes, after: "Input driver version is 1.0.1\n")
        }
    }
}
