import WebServer

/// The files of the folder `pages:`, for kiosks whose page needs no other server.
struct SiteFiles: Sendable {
    let folder: String

    /// The file at a request's path; nil if it does not exist. A path that ends with `/` means its `index.html`.
    ///
    /// Names that begin with a dot do not exist, so a path cannot leave the folder.
    func response(at path: String) -> WebResponse? {
        guard let decoded = Self.decoded(path), decoded.hasPrefix("/"), !decoded.utf8.contains(0) else {
            return nil
        }
        let names = decoded.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.hasPrefix(".") }) else { return nil }
        let isFolder = names.last?.isEmpty == true
        let file = folder + decoded + (isFolder ? "index.html" : "")
        guard let content = OpenFile(path: file) else { return nil }
        let ending = file.lastIndex(of: ".").map { file[file.index(after: $0)...].lowercased() } ?? ""
        let type = Self.types[ending] ?? "application/octet-stream"
        return WebResponse(type, content)
    }

    /// A path without percent-encoding (RFC 3986, 2.1); nil if it is not valid.
    private static func decoded(_ path: String) -> String? {
        let parts = path.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        var bytes = Array(parts[0])
        for part in parts.dropFirst() {
            let digits = String(Substring(part.prefix(2)))
            guard digits.count == 2, digits.allSatisfy(\.isHexDigit), let byte = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes += [byte] + part.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "json": "application/json", "svg": "image/svg+xml",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif",
        "ico": "image/x-icon", "avif": "image/avif", "woff2": "font/woff2", "woff": "font/woff", "ttf": "font/ttf",
        "mp4": "video/mp4", "webm": "video/webm", "mp3": "audio/mpeg", "wasm": "application/wasm",
        "txt": "text/plain; charset=utf-8",
    ]
}
