import ArgumentParser
import Basics
import CommandSupport
import Foundation

/// The file that a command writes. What can be made again is replaced; a recording cannot be, so `record` replaces none.
struct OutputOption: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: .file(
            "The file to write (default, and -: standard output). It is replaced as a whole; record replaces none."),
        completion: .file())
    private var given: String?

    /// The file's path; nil for standard output.
    var path: String? { given == "-" ? nil : given }

    /// Writes a text to the file or to standard output.
    func write(_ text: String) throws {
        if let path { try Self.write(text, to: path) } else { print(text, terminator: "") }
    }

    /// Writes a text to a temporary file in the same folder and renames it, so that readers never see a part of it.
    static func write(_ text: String, to path: String) throws(UnavailableError) {
        try check(path)
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            let number = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError).map { Int32($0.code) }
            let reason = number.map { ErrorText.of($0) } ?? error.localizedDescription
            if number.map(UnavailableError.isOutputFailure) == true { throw .noOutput(path, reason) }
            throw UnavailableError("\(path): error: cannot be written: \(reason)", status: EX_CANTCREAT)
        }
    }

    /// Throws if the path cannot become a file.
    static func check(_ path: String) throws(UnavailableError) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        let reason =
            if !FileManager.default.fileExists(atPath: folder) {
                "the folder \(folder) does not exist"
            } else if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
                "it is a folder; name a file in it"
            } else { String?.none }
        if let reason { throw UnavailableError("\(path): error: cannot be written: \(reason)", status: EX_CANTCREAT) }
    }
}
