import Foundation

@testable import TestSupport

/// `Examples/Clients/speak.py`, Speech Dispatcher and espeak-ng, whose sound goes into a file instead of a sound card.
final class Speaker {
    private let home: TemporaryFolder
    private var file: URL { home.url.appending(path: "sound.wav") }

    init() throws {
        home = try TemporaryFolder()
        _ = try home.file(
            ".asoundrc",
            "pcm.!default {type file; slave.pcm nothing; file '\(file.path)'; format wav}\npcm.nothing {type null}\n")
        try FileManager.default.createDirectory(
            at: home.url.appending(path: "speech-dispatcher"), withIntermediateDirectories: false)
        _ = try home.file(
            "speech-dispatcher/speechd.conf",
            """
            AudioOutputMethod "alsa"
            AddModule "espeak-ng" "sd_espeak-ng" "espeak-ng.conf"
            DefaultModule espeak-ng
            Timeout 1

            """)
    }

    /// Starts the client, which prints `listening` when it is connected, and each text.
    func client(of control: String) throws -> Server {
        try Server([
            "/usr/bin/env", "HOME=\(home.url.path)", "XDG_CONFIG_HOME=\(home.url.path)",
            "XDG_RUNTIME_DIR=\(home.url.path)", "/usr/bin/python3",
            TouchdProgram.root.appending(path: "Examples/Clients/speak.py").path, control,
        ])
    }

    /// How many samples have been heard so far, and which.
    var heard: Int { max(0, ((try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) - 44) / 2 }
    func sound() throws -> Sound { try Sound(file) }

    /// What espeak-ng alone says, at the rate that Speech Dispatcher asks for (`EspeakNormalRate` of its module).
    func alone(_ text: String, language: String) throws -> Sound {
        let file = home.url.appending(path: "alone.wav")
        _ = try TouchdProgram.run(
            ["-v", language, "-s", "170", "-w", file.path, text], program: "/usr/bin/espeak-ng")
        return try Sound(file)
    }
}

/// The samples of a WAV file with 22,050 of 16 bits in a second, which espeak-ng makes.
struct Sound {
    private let samples: [Int16]
    var count: Int { samples.count }

    /// Reads a file, also while it is being written: the length in its header is ignored.
    init(_ file: URL) throws {
        let data = try Data(contentsOf: file).dropFirst(44)
        samples = stride(from: data.startIndex, to: data.endIndex - 1, by: 2).map {
            Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)
        }
    }

    /// How many samples each text takes. Texts are a quarter of a second apart: espeak-ng ends each with 0.3 s of silence,
    /// and a comma has 0.2 s.
    var texts: [Int] {
        var texts: [Int] = [], start = 0, last: Int?
        for index in samples.indices where samples[index] != 0 {
            if let end = last, index - end > 22_050 / 4 {
                texts.append(end - start)
                start = index
            } else if last == nil {
                start = index
            }
            last = index
        }
        return texts + (last.map { [$0 - start] } ?? [])
    }
}
