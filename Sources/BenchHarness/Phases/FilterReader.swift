extension PhaseStart {
    /// Reads the condition of a phase. One about a subentity is about its records alone.
    func filter(_ object: JSONObjectCursor) -> FilterSpec? {
        let filter = object["filter"].flatMap { FilterReader(entity: entity).read($0) }
        guard let subentity = entity.subentity else { return filter }
        let kind = FilterSpec.isOfKind(entity.spec.number(ofKind: subentity))
        return filter.map { .and([kind, $0]) } ?? kind
    }
}

extension ValueShape {
    static let filter: ValueShape = .named("filter", "A condition on records.") {
        .any([.comparison, .and, .or, .not].map(ValueShape.object))
    }
}

extension ObjectShape {
    fileprivate static let comparison = ObjectShape(
        "comparison",
        keys: [
            .required(
                "key", .keyPath,
                "An attribute, or one that relationships lead to: list.owner.name. If one of them leads "
                    + "to many records, one that meets the condition is enough."),
            .required("op", .among(FilterReader.operators.map(OrderedJSON.string)), "The comparison of a value."),
            .required(
                "value", .any([.value, .list(of: .value, ScenarioLimits.filterOperands)]),
                "The value; for in, a list; for between, the lowest and the highest."),
            .optional(
                "ignore_case", .bool,
                "Whether letters match in upper and lower case, by Unicode's folding; for ==, contains, begins_with "
                    + "and ends_with. False if omitted."),
        ])
    private static let operands: ValueShape = .list(of: .filter, ScenarioLimits.filterOperands)
    fileprivate static let and = ObjectShape("and", keys: [.required("and", operands)])
    fileprivate static let or = ObjectShape("or", keys: [.required("or", operands)])
    fileprivate static let not = ObjectShape("not", keys: [.required("not", .filter)])
}

/// Reads the conditions of fetches and updates.
struct FilterReader {
    let entity: KnownEntity

    func read(_ cursor: JSONCursor) -> FilterSpec? {
        guard let keys = cursor.members(expected: "a condition")?.map(\.key) else { return nil }
        if keys.contains("and") { return cursor.object(.and)["and"].map { .and(operands($0)) } }
        if keys.contains("or") { return cursor.object(.or)["or"].map { .or(operands($0)) } }
        if keys.contains("not") { return cursor.object(.not)["not"].flatMap(read).map { .not($0) } }
        // The key may be a misspelt "and", so the error lists all keys of a condition.
        let known = ObjectShape.comparison.keys + ["and", "or", "not"]
        guard keys.allSatisfy(known.contains) else {
            cursor.checkKeys(against: known)
            return nil
        }
        return comparison(cursor.object(.comparison)).map(entity.leading)
    }

    private func operands(_ cursor: JSONCursor) -> [FilterSpec] {
        cursor.array(of: "conditions").compactMap(read)
    }

    /// The operators that take several values.
    enum ListOperator: String, CaseIterable {
        /// One of a list.
        case `in`
        /// From the first of two to the second.
        case between
    }

    /// The names of all operators.
    static let operators = FilterSpec.Comparison.allCases.map(\.rawValue) + ListOperator.allCases.map(\.rawValue)

    private func comparison(_ object: JSONObjectCursor) -> FilterSpec? {
        guard let name = object["op"]?.string(lengthMax: ScenarioLimits.textLength) else { return nil }
        if let op = ListOperator(rawValue: name) { return list(op, object) }
        guard let op = FilterSpec.Comparison(rawValue: name) else {
            object["op"]?.refuseUnknown("operator", name, among: Self.operators)
            return nil
        }
        guard let key = object["key"], let (name, attribute) = entity.reachableAttribute(key, throughMany: true) else {
            return nil
        }
        let fit = FilterSpec.Comparison.fit(for: attribute.type)
        guard fit.contains(op) else {
            object["op"]?.refuse(
                "the operator \(op.rawValue.quoted) on the \(attribute.type) attribute \(attribute.name.quoted)",
                expected: fit.map(\.rawValue).asChoice)
            return nil
        }
        guard let value = object["value"]?.fieldValue(attribute.type) else { return nil }
        if value == .null, op != .equal, op != .notEqual {
            object["value"]?.refuse("null compared by \(op.rawValue.quoted)", expected: "== or !=")
        }
        guard object["ignore_case"]?.bool() == true else { return .compare(key: name, op, value) }
        guard case .string(let text) = value, FilterSpec.caseless.contains(op) else {
            refuseCase(object, "the operator \(op.rawValue.quoted) on the \(attribute.type) attribute")
            return nil
        }
        return .ignoringCase(key: name, op, text)
    }

    private func refuseCase(_ object: JSONObjectCursor, _ what: String) {
        object["ignore_case"]?.refuse(
            "case ignored by \(what)", expected: "\(FilterSpec.caseless.map(\.rawValue).asChoice) and a string")
    }

    private func list(_ op: ListOperator, _ object: JSONObjectCursor) -> FilterSpec? {
        guard let key = object["key"], let (name, attribute) = entity.reachableAttribute(key, throughMany: true),
            let list = object["value"]
        else {
            return nil
        }
        if op == .between, [.bool, .data].contains(attribute.type) {
            object["op"]?.refuse(
                "the operator \"between\" on the \(attribute.type) attribute \(attribute.name.quoted)",
                expected: FilterSpec.Comparison.fit(for: attribute.type).map(\.rawValue).asChoice)
            return nil
        }
        if object["ignore_case"]?.bool() == true { refuseCase(object, "the operator \(op.rawValue.quoted)") }
        let cursors = list.array(count: op == .in ? ScenarioLimits.filterOperands : 2...2, of: "values")
        for cursor in cursors where cursor.isNull {
            cursor.refuse("null in a list of values", expected: "values alone; == finds null")
        }
        let values = cursors.compactMap { $0.fieldValue(attribute.type) }
        guard !values.isEmpty, values.count == cursors.count else { return nil }
        guard op == .between else { return .oneOf(key: name, values) }
        if values[0].order(against: values[1]) == .greater {
            list.refuse("a range whose first value is above the second", expected: "the lower one first")
        }
        return .between(key: name, values[0], values[1])
    }
}

extension FilterSpec.Comparison {
    /// Returns the comparisons that make sense for a type.
    static func fit(for type: FieldType) -> [FilterSpec.Comparison] {
        switch type {
        case .string: allCases
        case .bool, .data: [.equal, .notEqual]
        case .date, .int64, .double: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        }
    }
}
