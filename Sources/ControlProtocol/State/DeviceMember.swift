/// A member of a device, which several records have: its name in JSON and its meaning.
package struct DeviceMember: Sendable {
    fileprivate let name: StaticString, meaning: StaticString

    package static let name = Self(name: "name", meaning: "the device's name")
    package static let path = Self(name: "path", meaning: "its event node")
    package static let use = Self(name: "use", meaning: "`used`, `ignored` or `failed`")
    package static let reason = Self(name: "reason", meaning: "why it is not used")
    package static let kind = Self(name: "kind", meaning: "`touchscreen`, `mouse` and so on")
    package static let touchProtocol = Self(
        name: "touchProtocol", meaning: "how it reports contacts; absent if it reports none")
    static let forward = Self(
        name: "forward", meaning: "with `forward: true` in its rule, the node of the virtual touchscreen")
    static let forwardRemark = Self(
        name: "forwardRemark", meaning: "with `forward: true` in its rule, why nothing is forwarded now")
}

extension MemberVisitor where Self: ~Copyable {
    @inline(__always)
    mutating func member<Value: JSONValue>(_ device: DeviceMember, _ path: WritableKeyPath<Record, Value>) {
        member(device.name, device.meaning, path)
    }

    package mutating func member<Value: JSONWritable>(_ device: DeviceMember, _ value: (Record) -> Value) {
        member(device.name, device.meaning, value)
    }
}
