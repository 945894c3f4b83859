import Foundation

/// The files of the page, which are in the program.
enum PageFiles {
    /// A file.
    nonisolated struct File: Sendable {
        var type: String
        var bytes: [UInt8]
    }

    /// The file that a path names; nil where there is none.
    static func file(at path: String) -> File? {
        switch path {
        case "/": File(type: "text/html; charset=utf-8", bytes: PackageResources.index_html)
        case "/inspector.css": File(type: "text/css; charset=utf-8", bytes: PackageResources.inspector_css)
        case "/inspector.js": File(type: "text/javascript; charset=utf-8", bytes: PackageResources.inspector_js)
        case "/connection.js": File(type: "text/javascript; charset=utf-8", bytes: PackageResources.connection_js)
        case "/panel.js": File(type: "text/javascript; charset=utf-8", bytes: PackageResources.panel_js)
        case "/drawing.js": File(type: "text/javascript; charset=utf-8", bytes: PackageResources.drawing_js)
        case "/day.js": File(type: "text/javascript; charset=utf-8", bytes: PackageResources.day_js)
        case "/moment.js": File(type: "text/javascript; charset=utf-8", bytes: PackageResources.moment_js)
        case "/trial.js": File(type: "text/javascript; charset=utf-8", bytes: PackageResources.trial_js)
        default: nil
        }
    }

    /// What every answer says to browsers: nothing from elsewhere, nobody around it, nothing kept, no name passed on.
    static let headers = [
        ("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
}
