import ControlProtocol

/// The output of `--version`.
package enum VersionText {
    /// One line; with `--verbose`, also the linked packages, one per line: name, version, revision, address.
    ///
    /// - Parameter components: Those lines, generated at build time.
    package static func text(components: String) -> String {
        guard CommandLine.arguments.dropFirst().contains("--verbose") else { return StatusReport.currentVersion }
        return "\(StatusReport.currentVersion)\n\(components)"
    }
}
