import Layout

/// The findings for a layout's text, as `touchd check` prints them.
nonisolated func findings(_ text: String) -> [String] {
    LayoutDocument.check(text: text, file: "kiosk.yaml", handlers: ["log"]).findings.map(\.description)
}
