import Layout
import Testing

@testable import Handlers

/// The names of facts.
@Suite struct Facts {
    @Test("the facts that layout templates accept are those that handlers provide")
    func names() {
        #expect(Template.occasionFacts == Set(Fact.allCases.map(\.rawValue)))
    }
}
