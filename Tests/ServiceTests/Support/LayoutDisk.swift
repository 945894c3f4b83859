import Foundation

@testable import Layout
@testable import Service
@testable import TestSupport

/// The files of a layout, which shell commands change, and touchd's parts that watch them.
final class LayoutDisk {
    private let folder: TemporaryFolder
    private(set) var stage: SlotStage?
    /// The number of reloads, with or without an error.
    private(set) var reloadCount = 0

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.url.path }

    /// A main file; the part of it that is written first asks for reloads.
    nonisolated static func layout(_ version: Int, _ rest: String = "") -> String {
        """
        reload: on-change
        screen: {size: [9, 9]}
        version: \(version)
        views: [{id: v\(version), frame: [0, 0, 1, 1]}]
        \(rest)

        """
    }

    /// Runs shell commands in the folder; those that fail are skipped.
    func run(_ commands: String) {
        system("cd '\(path)' && exec 2>/dev/null && umask 022; \(commands)")
    }

    func write(_ file: String, _ text: String) throws {
        let url = folder.url.appending(path: file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        chmod(url.path, 0o644)
    }

    /// Starts touchd's parts, with the files of an earlier start as the last good layout.
    func start(_ main: String, keepsLastGood: Bool = false) throws {
        stage = nil
        let stage = try SlotStage(
            layoutAt: main.hasPrefix("..") ? main : "\(path)/\(main)", state: keepsLastGood ? path : nil)
        stage.layout.didReload = { [unowned self] in reloadCount += 1 }
        stage.layout.finish()
        self.stage = stage
        stage.settle()
    }

    /// The layout that runs, or why the one on the disk does not.
    var running: String {
        let layout = stage?.layout
        return layout?.refusal?.reason ?? layout?.scene?.document.fileHash ?? "nothing"
    }

    /// What a new start would use, or why not.
    var onDisk: String {
        let check = LayoutDocument.check(path: stage?.file ?? "", handlers: [String]())
        return check.findings.first { $0.severity == .error }.map { "\($0)" } ?? check.document?.fileHash ?? "nothing"
    }
}
