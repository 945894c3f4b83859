import Layout
import Testing

@testable import Handlers

/// The facts' names.
@Suite struct Facts {
    @Test("the facts that a layout's templates may name are those that handlers know")
    func names() {
        #expect(Template.occasionFacts == Set(Fact.allCases.map(\.rawValue)))
    }
}
