/// What of layouts, the control socket and journals is fed with arbitrary bytes: by libFuzzer in `make fuzz`, and with what
/// it kept in every test run.
public nonisolated enum ServiceFuzzTarget: String, CaseIterable, Sendable {
    /// A layout, read, checked, put to work and touched.
    case layout
    /// A template and what is put into its places.
    case template
    /// What a client of the control socket writes.
    case control
    /// What a client of the control socket is answered.
    case answers
    /// An exported journal and the report that is made of it.
    case journal

    /// Feeds the bytes; answers what was wrong with what came of it, nil if nothing was.
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
