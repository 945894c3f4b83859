/// A value that a closure and its test share.
final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
