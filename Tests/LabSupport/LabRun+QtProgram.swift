import Foundation

extension LabRun {
    /// Builds a program in C++ with Qt from one file, as its first comment says; the virtual machine sees it too.
    ///
    /// - Parameters:
    ///   - source: The file's path in the repository.
    ///   - module: Qt's module, by its name for pkg-config.
    package static func qtProgram(_ source: String, module: String) throws -> URL {
        let file = Boot.repository.appending(path: source)
        let program = builtPrograms.appending(path: "qt-" + file.deletingPathExtension().lastPathComponent)
        let compiler = Process(), complaint = Pipe()
        compiler.executableURL = URL(filePath: "/bin/sh")
        compiler.arguments = [
            "-c", "g++ -fPIC '\(file.path)' -o '\(program.path)' $(pkg-config --cflags --libs \(module))",
        ]
        compiler.standardError = complaint
        try compiler.run()
        let text = String(decoding: complaint.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0, text.isEmpty else { throw LabError.notBuilt(text) }
        return program
    }
}
