import Foundation
import FoundationXML

/// The elements of an XML text, in the order in which they start.
final class XMLElements: NSObject, XMLParserDelegate {
    struct Element {
        var name: String
        var attributes: [String: String]
        /// Its own text and that of its child elements.
        var text = ""

        subscript(attribute: String) -> String? { attributes[attribute] }
    }

    struct NotXML: Error { var reason: String }

    private var elements: [Element] = []
    private var open: [Int] = []

    init(_ text: String) throws {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        guard parser.parse() else { throw NotXML(reason: "\(String(describing: parser.parserError))") }
    }

    subscript(name: String) -> [Element] { elements.filter { $0.name == name } }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(elements.count)
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        for index in open where !["svg", "g"].contains(elements[index].name) { elements[index].text += text }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }
}
