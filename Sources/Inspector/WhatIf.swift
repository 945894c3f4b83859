import ControlProtocol
import Foundation
import Layout
import TouchKit

/// A hypothetical touch: a click on the page asks which view would receive it.
nonisolated struct WhatIf: Decodable, Equatable, Sendable {
    /// The position in points of the screen.
    var x, y: Double
    /// The screen's name; the first screen if absent.
    var screen: String?
    /// The page that the screen shows; its first page if absent.
    var page: String?
    /// The trial changes to the layout.
    var trial: Trial?

    /// Hit-tests a separate copy of the layout, so that nothing running is affected; the result equals that of `touchd
    /// hit --json`.
    ///
    /// - Returns: Nil if the layout has no such screen.
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
