nonisolated extension LayoutReader {
    /// `slot:`, a name, or a name and the handlers that published views may run.
    ///
    /// - Parameter view: Takes the slot's name as its id if it has no other, and lets touches through where nothing is
    ///   published.
    mutating func slot(_ node: Node, of view: inout ViewSpec) -> SlotSpec? {
        guard let slot = slot(node) else { return nil }
        view.id = view.id ?? slot.name
        // One of the defaults.
        view.control = nil
        view.isPassthrough = true
        return slot
    }

    /// Reports keys that a view with a slot cannot have.
    mutating func checkSlotKeys(_ values: YAMLNodes.Values) {
        guard values["slot"] != nil else { return }
        for key in ["control", "redirect", "views"] {
            guard let other = values[key] else { continue }
            nodes.note(
                at: other, "a view with 'slot' cannot have '\(key)'; remove it, or move it to a view beside the slot")
        }
    }

    private mutating func slot(_ node: Node) -> SlotSpec? {
        var slot: SlotSpec?
        if node.isScalar {
            slot = nodes.name(node, "'slot'").map { SlotSpec(name: $0) }
        } else if let values = nodes.mapping(node, "'slot'", keys: ["name", "handlers"]) {
            guard let name = values["name"] else {
                nodes.note(at: node, "'slot' has no 'name'; add name: NAME")
                return nil
            }
            slot = nodes.name(name, "'name' of 'slot'").map { SlotSpec(name: $0) }
            let names = values["handlers"].flatMap { nodes.sequence($0, "'handlers' of 'slot'") } ?? []
            for item in names {
                guard let handler = nodes.string(item, "a handler of 'slot'") else { continue }
                slot?.handlers.append(
                    HandlerStep(kind: .run(handler, arguments: [:]), location: item.location))
                references.slotHandlers.insert(handler)
            }
        }
        guard let slot else { return nil }
        if let first = references.slots[slot.name] {
            nodes.note(at: node, "two slots have the name '\(slot.name)'; the first is at \(first)")
        }
        references.slots[slot.name] = node.location
        return slot
    }
}
