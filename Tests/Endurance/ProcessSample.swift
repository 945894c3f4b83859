import Foundation

/// What a process takes of the machine at a moment.
struct ProcessSample {
    /// Memory that is there in fact, in kilobytes (`VmRSS` of proc_pid_status(5)), and the part of it that is no file's.
    var resident = 0, anonymous = 0
    /// How many descriptors are open, and how many children there are.
    var descriptors = 0, children = 0

    /// Looks at this process.
    static func now() -> ProcessSample {
        var sample = ProcessSample()
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        for line in status.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count > 1, let number = Int(words[1]) else { continue }
            if words[0] == "VmRSS:" { sample.resident = number }
            if words[0] == "RssAnon:" { sample.anonymous = number }
        }
        // The one that the folder is read by is open too.
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
        sample.descriptors = open - 1
        let children = try? String(contentsOfFile: "/proc/self/task/\(getpid())/children", encoding: .utf8)
        sample.children = children?.split(separator: " ").count ?? 0
        return sample
    }
}
