extension Responder: Hashable {
    /// Compares identity: a responder is equal only to itself.
    public nonisolated static func == (left: Responder, right: Responder) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Whether the object is an instance of a class or of a subclass (`NSObjectProtocol.isKind(of:)`).
    public func isKind(of aClass: AnyClass) -> Bool { TouchKit.isKind(self, of: aClass) }
}

extension GestureRecognizer {
    /// Whether the object is an instance of a class or of a subclass (`NSObjectProtocol.isKind(of:)`).
    public func isKind(of aClass: AnyClass) -> Bool { TouchKit.isKind(self, of: aClass) }
}

private func isKind(_ object: AnyObject, of aClass: AnyClass) -> Bool {
    var current: AnyClass? = type(of: object)
    while let candidate = current {
        if candidate == aClass { return true }
        current = _getSuperclass(candidate)
    }
    return false
}
