import Foundation

/// The files of the page, which are compiled into the program.
enum PageFiles {
    /// A file.
    nonisolated struct File: Sendable {
        var type: String
        var bytes: [UInt8]
    }

    /// The file at a path; nil if the page has no such file.
    static func file(at path: String) -> File? { files[path] }

    private static let files: [String: File] = [
        "/": File(type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
        "/inspector.css": File(type: "text/css; charset=utf-8", bytes: PackageResources.inspector_css),
        "/asking.js": script(PackageResources.asking_js),
        "/connection.js": script(PackageResources.connection_js),
        "/day.js": script(PackageResources.day_js),
        "/drawing.js": script(PackageResources.drawing_js),
        "/happenings.js": script(PackageResources.happenings_js),
        "/inspector.js": script(PackageResources.inspector_js),
        "/moment.js": script(PackageResources.moment_js),
        "/panel.js": script(PackageResources.panel_js),
        "/seen.js": script(PackageResources.seen_js),
        "/stage.js": script(PackageResources.stage_js),
        "/state.js": script(PackageResources.state_js),
        "/timeline.js": script(PackageResources.timeline_js),
        "/trial.js": script(PackageResources.trial_js),
        "/trying.js": script(PackageResources.trying_js),
    ]

    private static func script(_ bytes: [UInt8]) -> File {
        File(type: "text/javascript; charset=utf-8", bytes: bytes)
    }
}
