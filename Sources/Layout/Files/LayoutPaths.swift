import Foundation

/// The paths that the reading of a layout asked for, and what it found at each.
///
/// A layout depends on nothing else on the disk, except on the programs of its handlers. So the layout is what is on the
/// disk as long as each path has what was found there. This includes the paths where nothing could be read.
package nonisolated struct LayoutPaths: Sendable {
    /// How a path was asked for.
    package enum Role: Sendable {
        /// As the main file.
        case main
        /// In `include:`, which may name a folder.
        case included
        /// As a file of an included folder.
        case inFolder
    }

    /// What reading a path gave.
    private enum Found: Equatable {
        /// A text by its hash; saving the same text again is a change, too.
        ///
        /// A file is named by the position of its first path, and not by its inode number, which is not stable on all file
        /// systems.
        case text(Int, saved: Int, owner: uid_t, first: Int, FileTrust.Problem?)
        case folder([String], FileTrust.Problem?)
        case failure(LayoutFileError)
    }

    /// The paths in the order in which they were read.
    package private(set) var asked: [(path: String, role: Role)] = []
    private var found: [Found] = []
    private var identities: [LayoutFile.Identity] = []

    package init() {}

    /// Reads a path and keeps what it is.
    ///
    /// - Parameter folder: The open folder that contains the file.
    mutating func read(
        _ path: String, _ role: Role, in folder: LayoutFile.Directory? = nil
    ) throws(LayoutFileError) -> LayoutFile {
        asked.append((path, role))
        do throws(LayoutFileError) {
            let file =
                if let folder {
                    try folder.file((path as NSString).lastPathComponent, at: path)
                } else {
                    try LayoutFile(path: path, allowsDirectory: role == .included, checksFolders: role != .inFolder)
                }
            switch file.content {
            case .text(let text):
                let first = identities.firstIndex(of: file.identity) ?? identities.count
                if first == identities.count { identities.append(file.identity) }
                found.append(
                    .text(
                        Self.hash(of: text), saved: file.saved, owner: file.owner, first: first, file.trustProblem))
            case .directory(let directory): found.append(.folder(directory.names, file.trustProblem))
            }
            return file
        } catch {
            found.append(.failure(error))
            throw error
        }
    }

    /// The hash of a text's bytes: to Swift, texts with the same letters in other bytes are equal.
    private static func hash(of text: String) -> Int {
        var hasher = Hasher(), text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return hasher.finalize()
    }

    /// Whether reading the layout again would give the same.
    package var areCurrent: Bool {
        var now = LayoutPaths()
        return zip(asked, found).allSatisfy { asked, found in
            _ = try? now.read(asked.path, asked.role)
            return now.found.last == found
        }
    }
}
