/// Why published views were refused.
package struct PublicationError: Error, Sendable, Equatable, CustomStringConvertible {
    package struct Problem: JSONMessage, Equatable {
        package var index: Int?, view: String?, message = ""
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member(
                "index", "the index of the entry with the problem, from 0; absent if the text as a whole is invalid",
                \.index)
            visitor.member("view", "the entry's id, if it has one", \.view)
            visitor.member("message", "the problem and how to fix it", \.message)
        }

        package init(index: Int? = nil, view: String? = nil, message: String) {
            (self.index, self.view, self.message) = (index, view, message)
        }
    }

    /// The problems, in the order of the text; at least one, at most 101.
    package var problems: [Problem]

    package init(_ problems: [Problem]) { self.problems = problems }

    /// Creates the error of a text that is invalid as a whole.
    package init(message: String) { problems = [Problem(message: message)] }

    /// The problems, one in each line.
    package var description: String {
        problems.map { problem in
            let place = problem.index.map { "views[\($0)]\(problem.view.map { " '\($0)'" } ?? ""): " }
            return (place ?? "") + problem.message
        }
        .joined(separator: "\n")
    }
}
