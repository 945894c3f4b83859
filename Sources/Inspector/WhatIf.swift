import ControlProtocol
import Foundation
import Layout
import TouchKit

/// What would take a touch at a place: the question that a click on the page asks.
nonisolated struct WhatIf: Decodable, Equatable, Sendable {
    /// The place, in points of the screen.
    var x, y: Double
    /// The screen's name; the first without it.
    var screen: String?
    /// The page that the screen shows; its first without it.
    var page: String?
    /// What is tried of the layout.
    var trial: Trial?

    /// Asks a layout of its own, so that nothing that is at work hears of it; the answer is that of `touchd hit --json`.
    ///
    /// - Returns: Nil where the layout has no such screen.
    @MainActor
    func answer(by document: LayoutDocument, state: [InspectionRecord.ViewState]) throws -> HitReport? {
        let document = (trial ?? Trial()).applied(to: document, state: state)
        let scene = Scene(document, application: Application()) { _, _ in }
        if let page { try scene.go(to: page) }
        scene.activate()
        defer { scene.deactivate() }
        return scene.hit(CGPoint(x: x, y: y), onScreen: screen)
    }
}
