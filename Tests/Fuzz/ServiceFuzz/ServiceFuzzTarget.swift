/// The parts of layouts, the control socket and journals that are fed with arbitrary bytes: by libFuzzer in `make
/// fuzz`, and with its corpus in every test run.
public nonisolated enum ServiceFuzzTarget: String, CaseIterable, Sendable {
    /// A layout: read, checked, run and touched.
    case layout
    /// A template and the values for its placeholders.
    case template
    /// The input from a client of the control socket.
    case control
    /// The responses to a client of the control socket.
    case answers
    /// An exported journal and its report.
    case journal

    /// Feeds the bytes; returns the first violation, or nil.
    @MainActor
    public func violation(_ bytes: UnsafeRawBufferPointer) -> String? {
        switch self {
        case .layout: FuzzedLayout.violation(String(decoding: bytes, as: UTF8.self))
        case .template: FuzzedTemplate.violation(bytes)
        case .control: FuzzedControl.violation(bytes)
        case .answers: FuzzedAnswers.violation(bytes)
        case .journal: FuzzedJournal.violation(bytes)
        }
    }
}
