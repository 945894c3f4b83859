import Foundation

/// The secrets that systemd gives the service (systemd.exec(5), LoadCredential=), read for each setup.
final class ServiceCredentials {
    /// A bound on the size of a credential, longer than any token or password of a protocol that touchd uses.
    private static let limit = 64 * 1024

    private let directory: String?
    private var known: [String: String] = [:]

    /// Creates a reader of a directory; without one, no credential is found.
    init(directory: String?) { self.directory = directory }

    /// The content of a credential without its final newline; nil if it was missing when it was read last.
    subscript(name: String) -> String? { known[name] }

    /// Reads a credential again and returns why it cannot be used; nil on success.
    func load(_ name: String) -> String? {
        known[name] = nil
        guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
            return "invalid credential name '\(name)'"
        }
        guard let directory else {
            return "credential '\(name)' is missing, because touchd does not run as a service"
        }
        // systemd puts the prefix before the names of a folder's files (LoadCredential=touchd:/etc/touchd/credentials).
        guard
            let file = ["touchd_\(name)", name].lazy.compactMap({ FileHandle(forReadingAtPath: "\(directory)/\($0)") })
                .first,
            let data = try? file.read(upToCount: Self.limit + 1)
        else {
            return "credential '\(name)' is missing; put the secret into /etc/touchd/credentials/\(name), "
                + "then run: systemctl restart touchd-network"
        }
        guard data.count <= Self.limit, let text = String(data: data, encoding: .utf8) else {
            return "credential '\(name)' must be text of at most \(Self.limit) bytes"
        }
        let secret = text.trimmingCharacters(in: .newlines)
        // A line break in the credential would start another header.
        guard !secret.isEmpty, !secret.unicodeScalars.contains(where: \.isControl) else {
            return "credential '\(name)' must be one line of text"
        }
        known[name] = secret
        return nil
    }
}
