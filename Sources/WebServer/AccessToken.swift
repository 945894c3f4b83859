import Foundation

/// What a page has to show with everything it asks, so that nobody else who can reach the port is answered.
public struct AccessToken: Sendable {
    /// Why a token cannot be had.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// The file cannot be read.
        case unreadable(path: String)
        /// Others than its owner and group may read it.
        case readableByAll(path: String)
        /// It is too easily guessed.
        case tooShort(path: String)

        /// What is wrong, and what to do.
        public var description: String {
            switch self {
            case .unreadable(let path): "\(path): the token cannot be read; make the file with 'openssl rand -hex 32'"
            case .readableByAll(let path): "\(path): everybody may read the token; 'chmod 600 \(path)'"
            case .tooShort(let path):
                "\(path): a token has at least \(AccessToken.shortest) letters, digits, '-' or '_', and nothing else; "
                    + "'openssl rand -hex 32' makes one"
            }
        }
    }

    /// A token of 128 bits has 22 characters in base64; shorter ones are guessed.
    private static let shortest = 22

    /// The token.
    public let text: String

    /// Makes one of 256 bits that nobody can guess.
    public init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<4).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Reads one from a file, blanks around it left out.
    public init(file path: String) throws(Failure) {
        var information = stat()
        guard stat(path, &information) == 0, let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(path: path)
        }
        guard information.st_mode & (S_IROTH | S_IWOTH) == 0 else { throw .readableByAll(path: path) }
        text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        // The characters that stand in a link and a header as they are.
        guard text.utf8.count >= Self.shortest, text.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil else {
            throw .tooShort(path: path)
        }
    }

    /// Whether a text is the token; how long that takes says nothing of how much of it is right.
    func matches(_ candidate: String) -> Bool {
        let (mine, theirs) = (Array(text.utf8), Array(candidate.utf8))
        guard mine.count == theirs.count else { return false }
        return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
