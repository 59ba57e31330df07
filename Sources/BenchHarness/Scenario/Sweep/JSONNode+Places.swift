/// A step from an object or a list to a value in it.
struct JSONStep {
    /// The key; in a list, what the value's own key `name` says, or the index.
    let name: String
    let index: Int
}

extension JSONNode {
    /// The values in an object or a list, each with the step to it.
    var children: [(step: JSONStep, node: JSONNode)] {
        let named: [(String, JSONNode)] =
            switch value {
            case .object(let members): members.map { ($0.key, $0.value) }
            case .array(let elements): elements.enumerated().map { ($1.ownName ?? "\($0)", $1) }
            case .null, .bool, .number, .string: []
            }
        return named.enumerated().map { (JSONStep(name: $1.0, index: $0), $1.1) }
    }

    private var ownName: String? {
        guard case .object(let members) = value, let member = members.first(where: { $0.key == "name" }),
            case .string(let name) = member.value.value
        else { return nil }
        return name
    }

    /// Returns the steps to the list at an offset; nil if there is none.
    func steps(to offset: Int) -> [JSONStep]? {
        if case .array = value, self.offset == offset { return [] }
        for child in children {
            if let steps = child.node.steps(to: offset) { return [child.step] + steps }
        }
        return nil
    }

    /// Returns the value with the lists at some offsets replaced.
    func replacing(_ lists: [Int: JSONNode]) -> JSONNode {
        switch value {
        case .array(let elements):
            lists[offset] ?? JSONNode(value: .array(elements.map { $0.replacing(lists) }), offset: offset)
        case .object(let members):
            JSONNode(
                value: .object(
                    members.map {
                        JSONMember(key: $0.key, keyOffset: $0.keyOffset, value: $0.value.replacing(lists))
                    }), offset: offset)
        case .null, .bool, .number, .string: self
        }
    }
}
