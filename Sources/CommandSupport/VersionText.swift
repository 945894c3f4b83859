import ControlProtocol

/// What `--version` prints.
public enum VersionText {
    /// One line; with `--verbose` beside it, also the packages that are linked in, one a line: name, version, revision, address.
    ///
    /// - Parameter components: Those lines, made when the program was built.
    public static func text(components: String) -> String {
        guard CommandLine.arguments.dropFirst().contains("--verbose") else { return StatusReport.currentVersion }
        return "\(StatusReport.currentVersion)\n\(components)"
    }
}
