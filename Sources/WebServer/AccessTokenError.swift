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
