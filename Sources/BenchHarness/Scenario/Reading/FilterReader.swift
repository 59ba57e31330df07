/// Reads the conditions of fetches and updates.
struct FilterReader {
    let entity: EntitySpec

    func read(_ cursor: JSONCursor) throws(ScenarioError) -> FilterSpec {
        let keys = try cursor.members(expected: "a condition").map(\.key)
        if keys.contains("and") { return .and(try operands(cursor.object(.and).required("and"))) }
        if keys.contains("or") { return .or(try operands(cursor.object(.or).required("or"))) }
        if keys.contains("not") { return .not(try read(cursor.object(.not).required("not"))) }
        // Here a key may still be a misspelt "and": so all that a condition can have is offered.
        try cursor.checkKeys(against: ObjectShape.comparison.keys + ["and", "or", "not"])
        return try comparison(cursor.object(.comparison))
    }

    private func operands(_ cursor: JSONCursor) throws(ScenarioError) -> [FilterSpec] {
        try cursor.array(count: ScenarioLimits.filterOperands, of: "conditions").map { (cursor) throws(ScenarioError) in
            try read(cursor)
        }
    }

    private func comparison(_ object: JSONObjectCursor) throws(ScenarioError) -> FilterSpec {
        let key = try object.required("key")
        let (name, attribute) = try attribute(key)
        let opCursor = try object.required("op")
        let op: FilterSpec.Comparison = try opCursor.choice("operator")
        let fit = FilterSpec.Comparison.fit(for: attribute.type)
        guard fit.contains(op) else {
            throw opCursor.error(
                "the operator \(op.rawValue.quoted) on the \(attribute.type) attribute \(attribute.name.quoted)",
                expected: fit.map(\.rawValue).asChoice)
        }
        let valueCursor = try object.required("value")
        let value = try valueCursor.fieldValue(attribute.type)
        if value == .null, op != .equal, op != .notEqual {
            throw valueCursor.error("null compared by \(op.rawValue.quoted)", expected: "== or !=")
        }
        return .compare(key: name, op, value)
    }

    /// An attribute of the records, or one of their owners by way of the relationship: `list.name`.
    private func attribute(_ cursor: JSONCursor) throws(ScenarioError) -> (key: String, AttributeSpec) {
        let key = try cursor.string(lengthMax: ScenarioLimits.textLength)
        guard let owner = entity.owner, key == owner.relationship || key.hasPrefix(owner.relationship + ".")
        else {
            let attribute = try cursor.attribute(called: key, of: entity)
            return (attribute.name, attribute)
        }
        if let index = entity.ownersAttribute(key) { return (key, owner.attributes[index]) }
        throw cursor.unknown("attribute", key, among: owner.attributes.map { "\(owner.relationship).\($0.name)" })
    }
}

extension FilterSpec.Comparison {
    /// The comparisons that make sense for a type.
    static func fit(for type: FieldType) -> [FilterSpec.Comparison] {
        switch type {
        case .string: allCases
        case .bool, .data: [.equal, .notEqual]
        case .date, .int64, .double: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        }
    }
}

extension JSONCursor {
    /// The attribute that this string names.
    func attribute(of entity: EntitySpec) throws(ScenarioError) -> AttributeSpec {
        try attribute(called: string(lengthMax: ScenarioLimits.textLength), of: entity)
    }

    func attribute(called name: String, of entity: EntitySpec) throws(ScenarioError) -> AttributeSpec {
        // The number of the owner is no attribute to those who write scenarios.
        let attributes = entity.attributesOfItsOwn
        guard let attribute = attributes.first(where: { $0.name == name }) else {
            throw unknown("attribute", name, among: attributes.map(\.name))
        }
        return attribute
    }
}
