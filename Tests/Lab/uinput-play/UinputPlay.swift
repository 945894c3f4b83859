import Glibc

/// Plays fingers and mice to the kernel: virtual devices through uinput, by commands in a file or on standard input.
@main
enum UinputPlay {
    static func main() {
        do {
            try run(CommandLine.arguments.dropFirst())
        } catch {
            // fputs would need the C library's `stderr`, which Swift takes for shared mutable state.
            let message = Array("uinput-play: \(error)\n".utf8)
            _ = write(STDERR_FILENO, message, message.count)
            exit(1)
        }
    }

    private static func run(_ arguments: ArraySlice<String>) throws(PlayError) {
        guard arguments.count <= 1 else { throw .usage }
        let player = try Player()
        if let path = arguments.first {
            for line in try readFile(path).split(separator: "\n") { try player.play(String(line)) }
        } else {
            while let line = readLine() { try player.play(line) }
        }
    }
}

/// A file's text.
func readFile(_ path: String) throws(PlayError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = read(descriptor, &chunk, chunk.count)
        guard count >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
        if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += chunk[..<count]
    }
}
