extension JSONCursor {
    /// Reads an ordering by attributes of the entity.
    func sort(by entity: KnownEntity) -> [SortSpec] {
        var specs: [SortSpec] = []
        for element in array(count: ScenarioLimits.sortKeys, of: "sort keys") {
            let object = element.object(.sort)
            let ascending = object["ascending"]?.bool()
            guard let key = object["key"], let attribute = entity.attribute(key) else { continue }
            if attribute.type == .data {
                key.refuse("the data attribute \(attribute.name.quoted)", expected: "an attribute with an order")
            }
            if specs.contains(where: { $0.key == attribute.name }) {
                key.refuse("the sort key \(attribute.name.quoted) a second time", expected: "each key once")
            }
            specs.append(SortSpec(key: attribute.name, ascending: ascending ?? true))
        }
        return specs
    }

    /// Reads changes to attributes of the entity.
    func changes(of entity: KnownEntity) -> [AttributeChange] {
        let members = members(expected: "an object of attributes and their new values") ?? []
        if case .object = node.value, members.isEmpty {
            refuse("an empty object", expected: "at least one attribute")
        }
        return members.compactMap { member in
            if let owner = entity.spec.owner, member.key == owner.relationship {
                return member.value.integer(in: 1...owner.records).map {
                    AttributeChange(attribute: owner.relationship, operation: .assign(.int64(Int64($0))))
                }
            }
            guard let attribute = entity.attribute(called: member.key, member.value) else { return nil }
            return member.value.operation(on: attribute).map {
                AttributeChange(attribute: attribute.name, operation: $0)
            }
        }
    }

    private func operation(on attribute: AttributeSpec) -> AttributeChange.Operation? {
        guard case .object = node.value else { return fieldValue(attribute.type).map { .assign($0) } }
        switch attribute.type {
        case .bool:
            guard let toggle = object(.toggle)["toggle"], let isTrue = toggle.bool() else { return nil }
            return isTrue ? .toggle : toggle.refuseMismatch(expected: "true")
        case .date:
            return object(.addSeconds)["add_s"]?.number(in: ScenarioLimits.seconds).map { .add($0) }
        case .int64:
            return object(.add)["add"]?.integer(in: ScenarioLimits.integers).map { .add(Double($0)) }
        case .double:
            return object(.add)["add"]?.number(in: ScenarioLimits.doubles).map { .add($0) }
        case .string, .data:
            refuse("an operation on the \(attribute.type) attribute", expected: "a new value")
            return nil
        }
    }
}
