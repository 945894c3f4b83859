import Foundation
import Testing

@testable import Service

/// Random changes of a layout's files and folders, also while they are read, against a new reading of the disk.
@Suite("Random changes of files") final class RandomFileTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

    private let disk: LayoutDisk
    private let first = UInt64(number("TOUCHD_FILE_SEED") ?? .random(in: 1...Int.max))
    private var seed: UInt64
    private var done: [String] = []

    init() throws {
        disk = try LayoutDisk()
        seed = first
    }

    private func next(_ bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }

    private func one(of texts: [String]) -> String { texts[next(texts.count)] }

    private var file: String { one(of: Self.files) }
    private var folder: String { one(of: ["etc", "etc/parts", "etc/sub"]) }
    private var place: String { next(3) > 0 ? file : folder }

    private static let files = ["etc/kiosk.yaml", "etc/parts/a.yaml", "etc/parts/b.yaml", "etc/sub/c.yaml"]

    /// A file's text, as a word of the shell.
    private func text(of file: String) -> String {
        guard file == Self.files[0] else { return "'idle: {after: \(1 + next(1000)) s, run: {log: a}}'" }
        let include = one(of: [
            "", "parts", "./parts/", "parts/a.yaml", "[parts, sub/c.yaml]", "sub/../parts", "sub/c.yaml",
        ])
        return "'\(LayoutDisk.layout(next(1000), include.isEmpty ? "" : "include: \(include)"))'"
    }

    /// A correct state of all files.
    private var whole: String {
        "rm -rf etc; mkdir -p etc/parts etc/sub; "
            + Self.files.map { "printf %s \(text(of: $0)) > \($0)" }.joined(separator: "; ")
    }

    private func edit() -> String {
        let file = file, place = place, folder = folder
        switch next(19) {
        case 0, 1: return "printf %s \(text(of: file)) > \(file)"
        case 2, 3: return "printf %s \(text(of: file)) > \(file).new; mv \(file).new \(file)"
        case 4: return "printf %s \(text(of: file)) | head -c \(next(60)) > \(file)"
        case 5:
            return
                "printf '%s\\n' \(one(of: ["'views: ['", "'# more'", "'idle: []'", "\"$(printf '\\351')\""])) >> \(file)"
        case 6: return "rm -rf \(place)"
        case 7: return "rm -rf \(place).old; mv \(place) \(place).old"
        case 8: return "mv \(place).old \(place)"
        case 9: return "ln -sfn \(one(of: ["a.yaml", "../etc.old", "parts.old", "nothing"])) \(place)"
        case 10: return "ln -f \(self.file) \(file)"
        case 11: return "cp -p \(self.file) copy; mv copy \(file)"
        case 12: return "chmod \(one(of: ["666", "644", "600"])) \(file)"
        case 15, 16: return "mkdir -p \(folder)"
        case 17: return "rm -rf \(folder).old; mv \(folder) \(folder).old; ln -s $(basename \(folder)).old \(folder)"
        case 13: return "chmod \(one(of: ["777", "755", "700"])) \(folder)"
        case 14:
            return
                "rm -rf \(folder).old; cp -r \(folder) \(folder).next; mv \(folder) \(folder).old; mv \(folder).next \(folder)"
        default: return "printf x > etc/web.yaml; printf x > etc/parts/README; touch \(place)"
        }
    }

    private func change() {
        let commands = next(8) == 0 ? whole : edit()
        done.append(commands)
        disk.run(commands)
    }

    @Test("what runs is what is on the disk, or the reason is known")
    func random() throws {
        disk.run(whole)
        try disk.start(Self.files[0])
        let stage = try #require(disk.stage)
        let count = Self.number("TOUCHD_FILE_EDITS") ?? 200
        while done.count < count {
            change()
            // A part of what follows, with changes between the reading and the end of a reload.
            for _ in 0..<next(4) {
                while stage.pass() {}
                _ = stage.reader.performNext { if next(2) == 0 { change() } }
            }
            if next(4) == 0 { continue }
            stage.settle()
            let (running, onDisk) = (disk.running, disk.onDisk)
            guard running == onDisk else {
                Issue.record("TOUCHD_FILE_SEED=\(first): runs \(running), not \(onDisk), after \(done.suffix(4))")
                return
            }
        }
    }
}
