import Basics
import Glibc

/// The token that a page must send with every request, so that other users who can reach the port get no response.
package struct AccessToken: Sendable {
    /// A token of 128 bits has 22 characters in base64; shorter ones can be guessed.
    static let shortest = 22

    package let text: String

    /// Creates a random token of 256 bits.
    package init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<4).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Reads a token from a file; surrounding blanks are ignored.
    package init(file path: String) throws(AccessTokenError) {
        var status = stat()
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0, let bytes = SmallFile.bytes(of: descriptor, atMost: 4096) else {
            throw .unreadable(path: path)
        }
        guard status.st_mode & (S_IROTH | S_IWOTH) == 0 else { throw .readableByAll(path: path) }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        text = words.count == 1 ? String(words[0]) : ""
        // Only characters that need no escaping in a link or a header.
        guard text.utf8.count >= Self.shortest, text.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil else {
            throw .tooShort(path: path)
        }
    }

    /// Whether a text is the token; the comparison takes constant time, so its duration reveals nothing.
    func matches(_ candidate: String) -> Bool {
        let (mine, theirs) = (Array(text.utf8), Array(candidate.utf8))
        guard mine.count == theirs.count else { return false }
        return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// Why a token cannot be read.
package enum AccessTokenError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(path: String)
    /// Users outside its owner and group may read it.
    case readableByAll(path: String)
    /// The token is too easily guessed.
    case tooShort(path: String)

    /// The error and how to fix it.
    package var description: String {
        switch self {
        case .unreadable(let path): "\(path): cannot read the token; create the file with 'openssl rand -hex 32'"
        case .readableByAll(let path): "\(path): the token is readable by all users; run: chmod 600 \(path)"
        case .tooShort(let path):
            "\(path): a token must be at least \(AccessToken.shortest) letters, digits, '-' or '_'; "
                + "create one with 'openssl rand -hex 32'"
        }
    }
}
