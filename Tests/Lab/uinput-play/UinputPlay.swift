import Foundation

/// Plays fingers and mice to the kernel: virtual uinput devices, by commands in a file or on standard input.
@main
enum UinputPlay {
    static func main() {
        do {
            try run(CommandLine.arguments.dropFirst())
        } catch {
            FileHandle.standardError.write(Data("uinput-play: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: ArraySlice<String>) throws(PlayError) {
        guard arguments.count <= 1 else { throw .usage }
        let player = try Player()
        if let path = arguments.first {
            let text: String
            do {
                text = try String(contentsOfFile: path, encoding: .utf8)
            } catch {
                throw .unreadable(path: path, reason: error.localizedDescription)
            }
            for line in text.split(separator: "\n") { try player.play(String(line)) }
        } else {
            while let line = readLine() { try player.play(line) }
        }
    }
}
