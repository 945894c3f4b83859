import Foundation

/// The resources of a process at a moment.
struct ProcessSample {
    /// Resident memory in kilobytes (`VmRSS` of proc_pid_status(5)), and its anonymous part.
    var resident = 0, anonymous = 0
    /// The number of open descriptors, and of children.
    var descriptors = 0, children = 0

    /// Samples this process.
    static func now() -> ProcessSample {
        var sample = ProcessSample()
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        for line in status.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count > 1, let number = Int(words[1]) else { continue }
            if words[0] == "VmRSS:" { sample.resident = number }
            if words[0] == "RssAnon:" { sample.anonymous = number }
        }
        // The descriptor for reading the folder is open too.
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
        sample.descriptors = open - 1
        let children = try? String(contentsOfFile: "/proc/self/task/\(getpid())/children", encoding: .utf8)
        sample.children = children?.split(separator: " ").count ?? 0
        return sample
    }
}
