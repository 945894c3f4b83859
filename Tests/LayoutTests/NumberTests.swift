import Evdev
import ControlProtocol
import Foundation
import Reports
import Testing
import TouchKit
import TouchKitTesting

@testable import Layout

@Suite("The numbers of layouts") final class NumberTests {
    /// The layout around the words of a section, or around one word; `…` is the word. A list is one of views, which programs
    /// can also publish.
    private static let surroundings = [
        "screen": #""screen": {"size": [9, 9], …}"#, "screen.size": #""screen": {…}"#,
        "screen.above-floor": #""screen": {"size": [9, 9], "millimeters": [9, 9], …}"#,
        "journal": #""journal": {…}"#, "recording": #""recording": {…}"#,
        "forward": #""forward": {…}"#, "tuio": #""tuio": {…}"#, "mqtt": #""mqtt": {"host": "a", …}"#,
        "watchdog": #""watchdog": {…}"#, "device": #""devices": [{"match": {"name": "*"}, …}]"#,
        "filter": #""devices": [{"match": {"name": "*"}, "filter": {…}}]"#,
        "start": #""accessibility": {"start": {…}}"#, "end": #""accessibility": {"end": {…}}"#,
        "accommodations": #""accommodations": {"steady": 9, …}"#,
        "accommodations.steady": #""accommodations": {"hold": 1, …}"#,
        "idle": #""idle": {"run": "a", …}"#, "handler": #""handlers": {"a": {"do": {"log": "a"}, …}}"#,
        "step": #""handlers": {"a": {…}}"#, "exec": #""handlers": {"a": {"exec": {"command": ["/bin/true"], …}}}"#,
        "http": #""handlers": {"a": {"http": {"url": "http://a", …}}}"#,
        "broker": #""handlers": {"a": {"publish": {"topic": "a", "mqtt": {"host": "a", …}}}}"#,
        "view": #"[{"frame": [0, 0, 90, 90], "control": "button", …}]"#, "view.frame": "[{…}]",
        "shape": #"[{"frame": [0, 0, 90, 90], "shape": {…}}]"#,
        "transform": #"[{"frame": [0, 0, 90, 90], "transform": {…}, "views": [{"frame": [0, 0, 9, 9]}]}]"#,
        "repeat": #"[{"frame": [0, 0, 90, 90], "control": {"repeat": {…}}}]"#,
        "place": #"[{"place": {"width": 9, "height": 9, "top": 1, …}}]"#,
        "place.width": #"[{"place": {"left": 9, "height": 9, "top": 1, …}}]"#,
        "place.top": #"[{"place": {"left": 9, "width": 9, "height": 9, …}}]"#,
        "place.height": #"[{"place": {"left": 9, "width": 9, "center-y": 9, …}}]"#,
        "place.bottom": #"[{"place": {"left": 9, "right": 9, "top": 9, …}}]"#,
        "place.center-y": #"[{"place": {"left": 9, "width": 9, "height": 9, …}}]"#,
        "cells": #"[{"repeat": {"columns": 2, "frame": [0, 0, 90, 90], "view": {}, …}}]"#,
        "cells.columns": #"[{"repeat": {"frame": [0, 0, 90, 90], "view": {}, …}}]"#,
        "cells.rows": #"[{"repeat": {"columns": 1, "frame": [0, 0, 90, 90], "view": {}, …}}]"#,
        "cells.frame": #"[{"repeat": {"columns": 2, "view": {}, …}}]"#,
        "cells.step": #"[{"repeat": {"columns": 2, "view": {"frame": [0, 0, 9, 9]}, …}}]"#,
        "tap": gesture("tap"), "long-press": gesture("long-press"), "pan": gesture("pan"),
        "edge-pan": gesture("edge-pan", #""edge": "left", "#), "chord": gesture("chord"),
        "swipe": gesture("swipe", #""direction": "left", "#), "sequence": gesture("sequence", #""views": ["a"], "#),
    ]

    /// It has a slot as large as the screen.
    private let kiosk: LayoutKiosk

    init() throws { kiosk = try LayoutKiosk(Self.file(#"[{"frame": [0, 0, 1000, 1000], "slot": "b"}]"#)) }

    private static func gesture(_ kind: String, _ parameters: String = "") -> String {
        #"[{"id": "a", "frame": [0, 0, 90, 90], "gestures": [{"\#(kind)": {\#(parameters)…}}]}]"#
    }

    /// Numbers that no word needs, or whose arithmetic is special.
    private static let special = [
        "0", "-0", "-1", "1", "0.5", "1e308", "-1e308", "1e400", "-1e400", ".inf", "-.inf", ".nan", "nan", "inf",
        "9223372036854775807", "9223372036854775808", "-9223372036854775809", "5e-324", "-5e-324", "1e-400", "0x7f",
    ]

    @Test(
        "every number at its limits, beyond them and out of range is refused, or gives only finite numbers",
        arguments: LayoutVocabulary().tables.map(\.key))
    func edges(of section: String) throws {
        for word in LayoutVocabulary().tables.first(where: { $0.key == section })?.words ?? [] {
            let forms = Self.forms(of: word.form.schema)
            guard !forms.isEmpty else { continue }
            let what = "\(section).\(word.name)"
            let around = try #require(
                Self.surroundings[what] ?? Self.surroundings[section], "add the surroundings of \(what)")
            if let example = word.form.example(or: word.fallback), example.first?.isNumber == true {
                // A time is a text in JSON.
                let value = example.contains(" ") ? "\"\(example)\"" : example
                #expect(try isAccepted(around.replacing("…", with: "\"\(word.name)\": \(value)")), "\(what)")
            }
            var accepted = 0
            let limits = Self.limits(of: word.form.schema).flatMap { [$0, $0.nextDown, $0.nextUp, $0 - 1, $0 + 1] }
            // The numbers of a list, for example, have the same limits.
            let numbers = Set(Self.special + limits.map(LayoutReader.text))
            for (form, number) in forms.flatMap({ form in numbers.map { (form, $0) } }) {
                let value = "\"\(word.name)\": " + form.replacing("#", with: number)
                if try isAccepted(around.replacing("…", with: value)) { accepted += 1 }
            }
            #expect(accepted > 0 && accepted < forms.count * numbers.count, "\(what) takes \(accepted) numbers")
        }
    }

    @Test(
        "the scale of nested views is limited, in files and in published views",
        arguments: ["1000", "0.001", "-1000", "[1000, 0.001]"])
    func nestedScale(scale: String) throws {
        func nested(_ depth: Int, _ views: String = "") -> String {
            depth == 0
                ? "[\(views)]"
                : #"[{"frame": [0, 0, 9, 9], "transform": {"rotate": 30, "scale": \#(scale)}, "views": \#(nested(depth - 1, views))}]"#
        }
        #expect(try isAccepted(nested(2)))
        let errors = findings(Self.file(nested(110))).filter { $0.contains(" error: ") }
        #expect(errors.count == 1 && errors[0].contains("'scale', multiplied by the scales of the superviews"))

        // A slot takes part in it.
        let kiosk = try LayoutKiosk(Self.file(nested(2, #"{"frame": [0, 0, 9, 9], "slot": "b"}"#)))
        #expect(publish(nested(0), in: kiosk, slot: "b"))
        #expect(!publish(nested(1), in: kiosk, slot: "b"))
    }

    // MARK: Layouts

    private static func file(_ part: String) -> String {
        let members = [
            part.hasPrefix("[") ? "\"views\": \(part)" : part,
            part.contains("\"screen\"") ? nil : #""screen": {"size": [1000, 1000]}"#,
            part.contains("\"handlers\"") ? nil : #""handlers": {"a": {"log": "a"}}"#,
        ]
        return "{\(members.compactMap(\.self).joined(separator: ", "))}"
    }

    /// Whether a layout is accepted; if so, all numbers in it and in its scene are finite.
    private func isAccepted(_ part: String) throws -> Bool {
        let text = Self.file(part)
        let check = LayoutDocument.check(text: text, file: "a.yaml", handlers: [])
        if part.hasPrefix("[") {
            let isPublished = publish(part, in: kiosk, slot: "b")
            #expect(isPublished == (check.document != nil), "\(part)")
            if isPublished { try expectFinite(kiosk, part) }
        }
        guard let document = check.document else {
            #expect(check.findings.contains { $0.severity == .error }, "\(part)")
            return false
        }
        #expect(Self.isFinite(document), "\(part)")
        let svg = LayoutDrawing(document).svg()
        #expect(svg.firstMatch(of: /[^a-z](nan|inf)[^a-z]/) == nil, "\(part)")
        for rule in document.devices {
            let axis = AxisInfo(minimum: 0, maximum: 4095)
            let surface = Surface(
                x: axis, y: axis, calibration: rule.calibration ?? .identity, region: rule.region ?? .whole)
            #expect(Self.isFinite(surface) && Self.isFinite(surface.point(x: 4095, y: 1)), "\(part)")
        }
        try expectFinite(LayoutKiosk(document), part)
        return true
    }

    private func publish(_ views: String, in kiosk: LayoutKiosk, slot: String) -> Bool {
        guard let slot = kiosk.scene.slot(named: slot) else { return false }
        return (try? kiosk.scene.publish(JSONTree(views.utf8), in: slot, by: "test", owner: kiosk)) != nil
    }

    /// Touches a layout, and expects finite numbers of its views.
    private func expectFinite(_ kiosk: LayoutKiosk, _ part: String) throws {
        let points = [CGPoint.zero, CGPoint(x: 5, y: 5), CGPoint(x: 999, y: 999), CGPoint(x: 1e6, y: -1e6)]
        for point in points {
            #expect(try Self.isFinite(#require(kiosk.scene.hit(point))), "\(part)")
            kiosk.first.lands(at: point.x, point.y)
            kiosk.first.moves(to: 40, 40)
            kiosk.advanceTime(by: 1)
            kiosk.first.lifts()
        }
        var views: [View] = kiosk.scene.windows
        var areFinite = true
        while let view = views.popLast() {
            views += view.subviews
            let frames = [view.frame, view.convert(view.bounds, to: nil)]
            let places = [CGPoint.zero, CGPoint(x: 999, y: 999)].map { view.convert($0, from: nil) }
            // Without reflection, because a grid has a thousand views.
            let numbers =
                frames.flatMap { [$0.origin.x, $0.origin.y, $0.size.width, $0.size.height] }
                + places.flatMap { [$0.x, $0.y] }
            areFinite = areFinite && numbers.allSatisfy(\.isFinite)
        }
        #expect(areFinite, "\(part)")
    }

    /// Whether all numbers in a value are finite.
    private static func isFinite(_ value: Any) -> Bool {
        switch value {
        case let number as Double: number.isFinite
        case let number as CGFloat: number.isFinite
        case is String, is Int, is Bool, is Duration: true
        default: Mirror(reflecting: value).children.allSatisfy { isFinite($0.value) }
        }
    }

    // MARK: The vocabulary's numbers

    /// The forms of a value with a number; `#` is the number.
    private static func forms(of schema: JSONSchema) -> [String] {
        let members = Dictionary(schema.members, uniquingKeysWith: { $1 })
        if case .list(let words)? = members["enum"], case .int? = words.first { return ["#"] }
        switch (members["type"], members["$ref"], members["anyOf"], members["prefixItems"], members["items"]) {
        case (_, .text(let name)?, _, _, _): return forms(of: shared(name))
        case (_, _, .list(let choices)?, _, _): return choices.flatMap(forms)
        case (_, _, _, .list(let items)?, _):
            // Numbers with which a matrix has an inverse.
            let others = items.indices.map { items.count == 6 && $0 % 4 > 0 ? "0" : "1" }
            let lists = items.indices.flatMap { index in
                forms(of: items[index]).map { form in
                    (others[..<index] + [form] + others[(index + 1)...]).joined(separator: ", ")
                }
            }
            let all = forms(of: items[0]).map { Array(repeating: $0, count: items.count).joined(separator: ", ") }
            return (lists + all).map { "[\($0)]" }
        case (_, _, _, _, let item?):
            let count = if case .int(let count)? = members["minItems"] { count } else { 1 }
            return forms(of: item).map { form in
                let others = (1..<count).map { ", " + form.replacing("#", with: "\($0)") }
                return "[\(form)\(others.joined())]"
            }
        case (.text("number")?, _, _, _, _), (.text("integer")?, _, _, _, _): return ["#"]
        case (.text("string")?, _, _, _, _):
            guard case .text(let pattern)? = members["pattern"] else { return [] }
            return pattern.hasSuffix("%$") ? ["\"#%\""] : pattern.contains("(ms|") ? ["\"# ms\"", "\"# d\""] : []
        default: return []
        }
    }

    /// Every least and greatest number in a schema.
    private static func limits(of schema: JSONSchema) -> [Double] {
        switch schema {
        case .list(let items): items.flatMap(limits)
        case .object(let members):
            members.flatMap { name, value -> [Double] in
                switch (name, value) {
                case ("$ref", .text(let name)): limits(of: shared(name))
                case ("minimum", .number(let limit)), ("maximum", .number(let limit)): [limit]
                case ("minimum", .int(let limit)), ("maximum", .int(let limit)): [Double(limit)]
                default: limits(of: value)
                }
            }
        default: []
        }
    }

    private static func shared(_ name: String) -> JSONSchema {
        SharedType.byName[String(name.dropFirst("#/$defs/".count))]?.schema ?? [:]
    }
}
