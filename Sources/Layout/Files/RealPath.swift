import Foundation

/// The path of a file without links, as realpath(3) finds it.
nonisolated enum RealPath {
    /// The path without links; nil if nothing is there or may be searched.
    static func of(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}
