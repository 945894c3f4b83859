import Evdev
import Foundation

nonisolated extension AccessibilitySpec: Section {
    static let table = Table(
        "accessibility", AccessibilitySpec(), "The talking mode, for people who do not see the screen.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("language", &language, "The language of labels at the start.", unset: "the first of each label") {
            $0.language()
        }
        r.word("screen", &screen, "The screen that has the mode.", unset: "the first") { $0.name(of: .screen) }
        if let start = r.word(Start()) { self.start = start }
        if let end = r.word(End()) { self.end = end }
    }
}

nonisolated extension AccessibilitySpec.Start: Section {
    static let table = Table("start", Self(), "What starts the mode, besides the action 'talk' and 'touchd talk on'.")

    mutating func words(_ r: inout LayoutReader) {
        r.word(
            "hold", &hold, "How long one finger must rest anywhere; its touch is cancelled then.", unset: "never"
        ) { $0.seconds(.seconds(2) ... .seconds(20)) }
        r.word("key", &key, "The key that starts and ends the mode, by its kernel name.", unset: "none") { $0.key() }
        r.word(
            "headphones", &headphones,
            "Whether the mode starts when headphones are plugged in, and ends when they are pulled out."
        ) { $0.flag() }
    }
}

nonisolated extension AccessibilitySpec.End: Section {
    static let table = Table("end", Self(), "What ends the mode.")

    mutating func words(_ r: inout LayoutReader) {
        // Somebody who is warned 20 s before has had as much time.
        r.word("idle", &idle, "The time without a finger or a key.") { $0.seconds(.seconds(40) ... .seconds(3600)) }
    }
}

// MARK: Types of values

nonisolated extension LayoutReader {
    /// The tag of a language (BCP 47), as `de` or `pt-BR`.
    mutating func language() -> String? {
        let form = Form.other(
            "a language, such as de or pt-BR", ["type": "string", "pattern": "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$"],
            example: "de")
        guard let (node, at) = reads(form), let tag = string(node, at.what) else { return nil }
        return checkLanguage(tag, at: node) ? tag : nil
    }

    private mutating func checkLanguage(_ tag: String, at node: Node) -> Bool {
        if LabelSpec.isLanguage(tag) { return true }
        note(at: node, "'\(tag.prefix(40))' is no tag of a language; write one such as de, en or pt-BR")
        return false
    }

    /// One text, or one for each language.
    mutating func spokenLabel() -> LabelSpec? {
        either(
            { $0.kind != .mapping }, { $0.label().map { LabelSpec(texts: ["": $0]) } }, or: { $0.labelsByLanguage() })
    }

    private mutating func labelsByLanguage() -> LabelSpec? {
        var schema: JSONSchema {
            [
                "type": "object", "propertyNames": ["pattern": "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$"],
                "additionalProperties": .reference("label"), "minProperties": 1,
            ]
        }
        guard let (node, at) = reads(.other("{LANGUAGE: a text, …}", schema)),
            let entries = entries(node, at.what)
        else { return nil }
        if entries.isEmpty { return invalid(node, "'label' is empty; write a text") }
        var labels = LabelSpec(texts: [:], firstLanguage: entries[0].name)
        for (key, name, value) in entries where checkLanguage(name, at: key) {
            labels.texts[name] = label(value, "the label in '\(name)'")
        }
        return labels
    }

    /// A key by its kernel name.
    fileprivate mutating func key() -> String? {
        let form = Form.other(
            "a key such as KEY_HELP", ["type": "string", "pattern": "^(KEY|BTN)_[A-Z0-9_]+$"], example: "KEY_HELP")
        guard let (node, at) = reads(form), let name = string(node, at.what) else { return nil }
        // The buttons of mice and panels are no keys.
        guard let code = KeyName.code(of: name), !KeyCode.mouse.contains(code), !KeyCode.tools.contains(code) else {
            return invalid(node, "\(at.what): unknown key '\(name.prefix(80))'; input-event-codes.h lists all keys")
        }
        return name
    }
}
