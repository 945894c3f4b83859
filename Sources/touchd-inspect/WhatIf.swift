import ControlProtocol
import Foundation
import Layout
import TouchKit

/// A hypothetical touch: a click on the page asks which view would receive it.
struct WhatIf: JSONMessage, Equatable {
    var x = 0.0, y = 0.0, screen: String?, page: String?, trial: Trial?

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("x", .points, "the position on the screen", \.x)
        visitor.member("y", .points, "see `x`", \.y)
        visitor.member("screen", "the screen's name; the first screen if absent", \.screen)
        visitor.member("page", "the page that the screen shows; its first page if absent", \.page)
        visitor.member("trial", "the trial changes to the layout", \.trial)
    }

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
