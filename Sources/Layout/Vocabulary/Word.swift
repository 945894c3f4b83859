/// A word as it is described.
nonisolated struct Word: Sendable {
    /// The key.
    var name: String
    /// Its meaning, in one or two sentences.
    var sentence: String
    /// Where it may stand.
    var scope: WordScope
    /// Whether the section is invalid without it.
    var isRequired = false
    /// Whether it may stand without a value.
    var isNullable = false
    /// The expected value.
    var form = Form.text()
    /// The default in words, and the property's initial value, which is written as text only where it is read.
    var unset: String?, initial: any Sendable = ()
    /// The sections in its value.
    var sections: [Table] = []
}
