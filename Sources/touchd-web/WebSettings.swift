import Glibc
import WebServer
import YAML

/// `/etc/touchd/web.yaml`: the pages that may use touchd.
struct WebSettings: Sendable {
    /// The origins of pages on other servers that may connect.
    var origins: Set<String> = []
    /// The folder whose files are served as pages; nil serves none.
    var pages: String?
    /// The users of this machine whose browsers may connect; nil for all.
    var users: Set<uid_t>?
    /// The token that pages must send; nil if they need none.
    var token: AccessToken?

    /// The settings without a file: no pages, no other origins.
    init() {}

    /// Reads the settings; a missing file means the defaults.
    ///
    /// - Throws: A `SettingsError` with the location of every error.
    init(path: String) throws(SettingsError) {
        if access(path, F_OK) != 0, errno == ENOENT {
            self.init()
            return
        }
        try self.init(SettingsFile(path: path, keys: Self.keys, lists: Self.lists))
    }

    /// Reads the text of a settings file.
    init(text: String, file: String) throws(SettingsError) {
        try self.init(SettingsFile(text: text, file: file, keys: Self.keys, lists: Self.lists))
    }

    private static let keys = ["origins", "pages", "token-file", "users"]
    private static let lists: Set = ["origins", "users"]

    private init(_ file: SettingsFile) throws(SettingsError) {
        var errors: [String] = []
        for origin in file.list("origins") ?? [] {
            if WebAccess.isOrigin(origin.value) {
                origins.insert(origin.value)
            } else {
                errors.append(origin.error(Self.problem(ofOrigin: origin.value)))
            }
        }
        // An empty list is nobody.
        users = file.list("users").map { _ in [] }
        for name in file.list("users") ?? [] {
            if let user = getpwnam(name.value) {
                users?.insert(user.pointee.pw_uid)
            } else {
                let problem = "'users' must be names of this machine's users (got '\(name.value)'); see: getent passwd"
                errors.append(name.error(problem))
            }
        }
        if let pages = file.text("pages") {
            var status = stat()
            if pages.value.hasPrefix("/"), stat(pages.value, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                self.pages = pages.value
            } else {
                let problem = "'pages' must be the path of a folder that touchd-web can read (got '\(pages.value)')"
                errors.append(pages.error(problem))
            }
        }
        if let path = file.text("token-file") {
            do {
                token = try AccessToken(file: path.value)
            } catch {
                errors.append(path.error("\(error)"))
            }
        }
        if !errors.isEmpty { throw SettingsError(errors) }
    }

    private static func problem(ofOrigin origin: String) -> String {
        switch origin {
        case "*": "'origins' must name each origin: '*' would let every web page use this kiosk"
        case "null":
            "origin 'null' is not allowed: any web page can make a frame with it; put a page's files into the folder "
                + "of 'pages' instead of opening them with file:"
        default:
            "an origin must be a scheme, a host in lower case, and a port if it is not the default, such as "
                + "'https://kiosk.example' or 'http://localhost:3000' (got '\(origin)')"
        }
    }
}
