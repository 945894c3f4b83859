import Foundation
import Testing

@testable import TestSupport

/// The accessibility of the inspector's page: by keyboard, by screen reader, in sunlight, on a phone.
@Suite(.needs("chromium"), .serialized)
final class InspectorAccess: RecordedPage {
    @Test("every control, region and picture has an accessible name")
    func names() throws {
        try go(to: 1)
        let nodes = try browser.accessibilityNodes()
        let controls: Set = [
            "button", "checkbox", "combobox", "spinbutton", "slider", "textbox", "link", "application", "region", "img",
            "image", "table",
        ]
        #expect(nodes.filter { controls.contains($0.role) && $0.name.isEmpty }.map(\.role) == [])
        let named = nodes.filter { controls.contains($0.role) }.map { "\($0.role) \($0.name)" }
        let wanted = [
            "slider Time", "button Ask", "checkbox Raw axes", "region Touches", "textbox The changed YAML",
            "combobox Page",
        ]
        #expect(wanted.filter { !named.contains($0) } == [], "\(named)")
        #expect(named.contains { $0.hasPrefix("application Screen, 1080 by 1920 points, page start") })
    }

    @Test("the keyboard reaches every control in visual order, with a visible focus")
    func keyboard() throws {
        #expect(
            try browser.isTrue("[...document.querySelectorAll('[tabindex]')].every((it) => it.tabIndex <= 0)"))
        let wanted = try #require(
            try browser.evaluate(
                """
                [...document.querySelectorAll("a, button, input, select, textarea, [tabindex='0']")]
                    .filter((it) => it.getClientRects().length > 0 && !it.disabled).map((it) => it.id || it.textContent.trim())
                """) as? [String])
        var reached: [String] = []
        for _ in wanted {
            try browser.press("Tab", code: 9)
            reached.append(
                try #require(
                    try browser.text("document.activeElement.id || document.activeElement.textContent.trim()")))
        }
        #expect(reached == wanted && wanted.count > 20)
        let outline = try browser.text("getComputedStyle(document.activeElement).outlineWidth")
        #expect(outline == "3px")
    }

    @Test("the keyboard moves the cross over the screen, and Enter tests the point")
    func cross() throws {
        try browser.evaluate("document.getElementById('stage').focus()")
        try browser.press("ArrowDown", code: 40)
        try browser.press("ArrowLeft", code: 37)
        try browser.press("Enter", code: 13, text: "\r")
        try browser.wait("document.getElementById('answer').dataset.json")
        #expect(
            try browser.text("[Number(ask.elements[0].value), Number(ask.elements[1].value)].join()")
                == "530,970")
    }

    @Test("every text has a contrast of at least 4.5 (WCAG 2.2, 1.4.3)", arguments: [false, true])
    func contrast(isHigh: Bool) throws {
        try go(to: 1)
        if isHigh { try browser.click("contrast") }
        let names = try #require(try browser.evaluate("document.querySelectorAll('#stage .name').length") as? Int)
        #expect(names > 3)
        let pale = try browser.evaluate(
            """
            (() => {
                const parts = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
                const light = (color) => {
                    const [r, g, b] = color.map((value) => {
                        const part = value / 255;
                        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
                    });
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const ratio = (one, other) => {
                    const lights = [light(one), light(other)].sort((a, b) => b - a);
                    return (lights[0] + 0.05) / (lights[1] + 0.05);
                };
                const ground = (node) => {
                    for (; node; node = node.parentElement) {
                        const color = getComputedStyle(node).backgroundColor;
                        if (!/^rgba.*, 0\\)$/.test(color)) return parts(color);
                    }
                    return [255, 255, 255];
                };
                // A name in the picture stands on its view and on those around it, which let some of the light through; of a
                // pattern it stands on the darkest or lightest part.
                const style = (selector) => getComputedStyle(document.querySelector(selector));
                const shapes = (text) => {
                    let under = parts(style("#stage .screen").fill);
                    const groups = [];
                    for (let group = text.closest("g.view"); group; group = group.parentElement.closest("g.view")) groups.unshift(group);
                    for (const group of groups) {
                        const shape = getComputedStyle(group.querySelector(":scope > .shape"));
                        if (shape.fill === "none") continue;
                        const over = parts(shape.fill.startsWith("url") ? style("#stage .dot").fill : shape.fill);
                        const part = Number(shape.fillOpacity);
                        under = under.map((value, index) => value * (1 - part) + over[index] * part);
                    }
                    return under;
                };
                const names = [...document.querySelectorAll("#stage .name")]
                    .map((text) => [text.textContent, ratio(parts(getComputedStyle(text).fill), shapes(text))]);
                return [...document.querySelectorAll("body *")].filter((node) => node instanceof HTMLElement
                    && node.getClientRects().length > 0
                    && [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim()))
                    .map((node) => [node.outerHTML.slice(0, 80), ratio(parts(getComputedStyle(node).color), ground(node))])
                    .concat(names).filter(([, ratio]) => ratio < (\(isHigh) ? 7 : 4.5)).map(([text, ratio]) => `${text}: ${ratio}`);
            })()
            """)
        #expect(pale as? [String] == [])
    }

    @Test("on a phone nothing is cut off, and targets are 24 pixels large (WCAG 2.5.8)")
    func phone() throws {
        try browser.resize(width: 390, height: 844, isPhone: true)
        try go(to: 1)
        #expect(try browser.evaluate("document.documentElement.scrollWidth") as? Int == 390)
        let small = try browser.evaluate(
            """
            [...document.querySelectorAll("button, select, input:not([type=range])")].filter((it) => it.getClientRects().length > 0)
                .filter((it) => {
                    const own = (it.type === "checkbox" ? it.closest("label") : it).getBoundingClientRect();
                    return own.width < 24 || own.height < 24;
                }).map((it) => it.outerHTML)
            """)
        #expect(small as? [String] == [])
    }
}
