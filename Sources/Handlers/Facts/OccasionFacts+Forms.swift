import ControlProtocol
import Foundation
import Layout
import Logging
import TouchKit

/// The forms in which the facts of an occasion leave touchd.
extension OccasionFacts {
    /// The facts that have a value, in the order of `Fact`, under the names of the journal's fields.
    package var fields: [(name: String, value: String)] {
        Fact.allCases.compactMap { fact in value(of: fact).map { (fact.fieldName, $0.text) } }
    }

    /// The fields for a logger.
    package var metadata: Logger.Metadata {
        Dictionary(uniqueKeysWithValues: fields.map { ($0.name, .string($0.value)) })
    }

    /// The fields as environment variables: `TOUCHD_VIEW=start`.
    package var environment: [String] { fields.map { "\($0.name)=\($0.value)" } }

    /// The facts as one JSON object on one line. The arguments are under `with`, except for a private occasion.
    package var json: String {
        let json = JSONWriter.object { object in
            for fact in Fact.allCases {
                guard let value = value(of: fact) else { continue }
                object.name(fact.rawValue)
                value.write(to: &object)
            }
            guard !arguments.isEmpty, !isPrivate else { return }
            object.member("with", arguments)
        }
        return String(decoding: json, as: UTF8.self)
    }

    /// Fills a template with the unmodified facts.
    package func fill(_ template: Template) -> String { template.filled { self[$0] } }

    /// Fills a template for one log line: control characters in facts become spaces, so a fact cannot start a new line.
    package func line(_ template: Template) -> String { template.filled { self[$0]?.onOneLine } }

    /// Fills a template for a URL: each fact is one component, percent-encoded (RFC 3986).
    package func url(_ template: Template) -> String {
        template.filled { self[$0]?.addingPercentEncoding(withAllowedCharacters: .unreserved) }
    }

    /// Fills a template for an MQTT topic: each fact is one level, without wildcards (MQTT 3.1.1, 4.7).
    package func topic(_ template: Template) -> String {
        template.filled { name in
            // The scalars, because a mark that combines with a "/" makes another Character of it.
            self[name].map { text in
                var level = ""
                for scalar in text.onOneLine.unicodeScalars {
                    level.unicodeScalars.append("/+#".unicodeScalars.contains(scalar) ? "_" : scalar)
                }
                return level
            }
        }
    }

    /// A sentence that describes the occasion.
    package var sentence: String {
        let place = "on \(self["view"]?.onOneLine ?? "no view")"
        let trigger = occasion.trigger.rawValue
        return switch occasion.cause {
        case .touch: "touch \(self["touch"] ?? "") \(self["phase"] ?? "") \(place)"
        case .gesture: "gesture \(self["gesture"]?.onOneLine ?? "") \(trigger) \(place)"
        case .control: "\(self["view"]?.onOneLine ?? "a control") \(trigger)"
        case .page(let name): "page \(name.onOneLine) \(trigger)"
        case .idle: occasion.trigger == .woken ? "the screen is touched again" : "the screen is not touched"
        case .device(let name): "device \(name.onOneLine) is \(trigger)"
        }
    }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

nonisolated extension String {
    /// The text with a space in place of each control character.
    var onOneLine: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var line = ""
        for scalar in unicodeScalars { line.unicodeScalars.append(scalar.isControl ? " " : scalar) }
        return line
    }
}

nonisolated extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
