/// A rectangle, in points: `[x, y, width, height]` in JSON. Modules with Foundation use `CGRect`.
package struct Frame: JSONValue, Equatable, Sendable {
    package static var form: JSONForm { .numbers(4) }

    package let x, y, width, height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    package init(json: JSONTree) throws(MemberError) {
        let numbers = try [Double](json: json)
        guard numbers.count == 4 else { throw MemberError("[x, y, width, height] is expected") }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    package func write(to writer: inout JSONWriter) { [x, y, width, height].write(to: &writer) }
}
