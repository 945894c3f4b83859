import Basics

/// A name that a layout does not have; its description lists those that it has.
package nonisolated struct UnknownName: Equatable, CustomStringConvertible, Sendable {
    package enum Kind: String, Sendable { case page, view, screen }

    /// The maximum number of listed names.
    static let longest = 8

    package let kind: Kind
    private let name: String, known: [String], screen: String?

    /// - Parameter screen: The screen, if only its pages are known.
    package init(_ kind: Kind, _ name: String, known: [String], on screen: String? = nil) {
        (self.kind, self.name, self.known, self.screen) = (kind, name, known, screen)
    }

    /// The error's text, with the name that was probably meant before the others.
    package var description: String {
        let nearest = NearestName.of(name, among: known)
        let names = (nearest.map { [$0] } ?? []) + known.filter { $0 != nearest }
        let others = names.count > Self.longest ? " and \(names.count - Self.longest) more" : ""
        let list =
            if !names.isEmpty {
                "its \(kind)s are \(names.prefix(Self.longest).joined(separator: ", "))\(others)"
            } else {
                switch kind {
                case .page: "it has no pages"
                case .view: "its views have no ids"
                case .screen: "its screens have no names"
                }
            }
        return "the layout has no \(kind) '\(name)'" + (screen.map { " on screen '\($0)'" } ?? "") + "; \(list)"
    }
}

extension LayoutDocument {
    /// The error of a screen that the layout does not have.
    package nonisolated func unknown(screen name: String) -> UnknownName {
        UnknownName(.screen, name, known: screens.compactMap(\.name))
    }
}
