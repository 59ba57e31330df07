import Foundation

extension FetchRequest {
    /// Resolves a request for dictionaries. `rows` defines the rows and their entity.
    ///
    /// - Throws: `StoreError` with `unknownKey`, `wrongType` or `invalidRequest`.
    func dictionaryPlan(_ rows: FetchPlan) throws(StoreError) -> DictionaryPlan {
        var resolver = DictionaryResolver(source: rows.source, isDistinct: returnsDistinctResults)
        try resolver.fetch(propertiesToFetch, groupedBy: propertiesToGroupBy)
        let havingNode = try havingPredicate.map { predicate throws(StoreError) in try predicate.node.get() }
        try havingNode?.checkLimits()
        try resolver.checkHaving(havingNode)
        try resolver.alsoFind((havingNode?.keys ?? []) + sortDescriptors.compactMap(\.key))
        let result = resolver.resultEntity
        var plan = DictionaryPlan(
            rows: rows, columns: resolver.columns, visibleCount: resolver.visibleCount, groups: resolver.groups,
            isDistinct: returnsDistinctResults, limit: fetchLimit, offset: fetchOffset,
            source: ObjectIDSource(rows.source, laidOutAs: result))
        plan.having = try havingNode?.resolved(for: plan.source)
        for descriptor in sortDescriptors { plan.sort.append(try descriptor.resolved(for: result)) }
        return plan
    }
}

/// Resolves the columns of a fetch of dictionaries, and rejects invalid requests.
private struct DictionaryResolver {
    let source: ObjectIDSource
    let isDistinct: Bool
    private(set) var columns: [DictionaryPlan.Column] = []
    /// The number of columns that are returned.
    private(set) var visibleCount = 0
    private(set) var groups: [Int] = []
    private var isGrouped = false

    private var entity: EntityDescription { source.entity }

    init(source: ObjectIDSource, isDistinct: Bool) {
        self.source = source
        self.isDistinct = isDistinct
    }

    mutating func fetch(_ expressions: [FetchExpression], groupedBy keys: [String]) throws(StoreError) {
        if expressions.isEmpty, !keys.isEmpty {
            throw invalid("grouping needs propertiesToFetch, which is empty; list the properties there")
        }
        let wanted = expressions.isEmpty ? entity.attributes.map { .property($0.name) } : expressions
        for expression in wanted {
            if columns.contains(where: { $0.name == expression.name }) {
                throw invalid("\"\(expression.name)\" is fetched twice; give one of them another name")
            }
            columns.append(try column(expression))
        }
        visibleCount = columns.count
        for key in keys { groups.append(try groupPosition(key)) }
        isGrouped = !keys.isEmpty || columns.contains(where: \.isAggregate)
        if isGrouped { try checkGrouping() }
    }

    /// A function returns one value for many rows, so every other column must have the same value in all of them.
    private func checkGrouping() throws(StoreError) {
        for column in columns {
            switch column.term {
            case .aggregate: continue
            case .field where isGrouping(column), .related where isGrouping(column): continue
            case .field, .related:
                throw invalid(
                    "\"\(column.name)\" is neither grouped by nor a function's result; add it to propertiesToGroupBy")
            case .objectID:
                throw invalid("\"\(column.name)\" is an object's ID, which a group of objects lacks; leave it out")
            }
        }
    }

    func checkHaving(_ node: FetchPredicate.Node?) throws(StoreError) {
        if node != nil, groups.isEmpty {
            throw invalid("havingPredicate is a condition on groups; set propertiesToGroupBy, or use predicate")
        }
    }

    /// Adds the properties in `keys` that are not fetched, so that the order and `having` can use them.
    mutating func alsoFind(_ keys: [String]) throws(StoreError) {
        for key in keys where !columns[..<visibleCount].contains(where: { $0.name == key }) {
            let column = try column(.property(key))
            if isGrouped, !isGrouping(column) {
                throw invalid(
                    "\"\(key)\" is neither fetched nor grouped by, and so has no single value in a group; "
                        + "add it to propertiesToFetch or propertiesToGroupBy")
            }
            if isDistinct {
                throw invalid(
                    "distinct results can only be sorted by fetched properties; add \"\(key)\" to propertiesToFetch")
            }
            if !columns.contains(where: { $0.name == key }) { columns.append(column) }
        }
    }

    private func isGrouping(_ column: DictionaryPlan.Column) -> Bool {
        groups.contains { columns[$0].term.isSameProperty(as: column.term) }
    }

    /// An entity with an attribute for each column.
    var resultEntity: EntityDescription {
        EntityDescription(
            name: entity.name, attributes: columns.map { AttributeDescription($0.name, $0.type, isOptional: true) })
    }

    /// Returns the position of the column to group by, which is added if it is not fetched.
    private mutating func groupPosition(_ key: String) throws(StoreError) -> Int {
        if let fetched = columns.firstIndex(where: { $0.name == key }) {
            switch columns[fetched].term {
            case .field, .related: return fetched
            case .objectID, .aggregate:
                throw invalid(
                    "\"\(key)\" is not an attribute or to-one relationship, or a key path to an attribute; "
                        + "group by one of these")
            }
        }
        let column = try column(.property(key))
        if let same = columns.firstIndex(where: { $0.term.isSameProperty(as: column.term) }) { return same }
        columns.append(column)
        return columns.count - 1
    }

    private func column(_ expression: FetchExpression) throws(StoreError) -> DictionaryPlan.Column {
        switch expression.term {
        case .property(let key) where key.contains("."):
            let (path, position) = try source.place(ofKeyPath: key)
            let type = source.entity(atEndOf: path).layout.fields[position].type
            return .init(name: expression.name, term: .related(path, position), type: type)
        case .property(let key):
            let position = try entity.fieldPosition(of: key)
            return .init(name: expression.name, term: .field(position), type: entity.layout.fields[position].type)
        case .objectID:
            return .init(name: expression.name, term: .objectID, type: .objectID)
        case .function(let function, let key):
            let position = try key.map { key throws(StoreError) in try entity.fieldPosition(of: key) }
            let operand = position.map { entity.layout.fields[$0].type }
            guard let type = function.resultType(of: operand) else {
                throw StoreError(
                    .wrongType,
                    "\(function.rawValue) cannot be taken of \(entity.name).\(key ?? ""), a \(operand?.rawValue ?? "")")
            }
            return .init(name: expression.name, term: .aggregate(function, position), type: type)
        }
    }

    private func invalid(_ reason: String) -> StoreError {
        StoreError(.invalidRequest, "a fetch of dictionaries of \(entity.name): \(reason)")
    }
}

extension FetchExpression.Function {
    /// Returns the attribute type of the function's result; nil if the function is undefined for values of type
    /// `operand`.
    fileprivate func resultType(of operand: AttributeType?) -> AttributeType? {
        switch self {
        case .count, .countDistinct: .integer64
        case .min, .max: operand == .objectID ? nil : operand
        case .sum: operand?.sumType
        case .average: operand?.sumType.map { $0 == .decimal && operand != .decimal ? .double : $0 }
        }
    }
}

extension AttributeType {
    /// A decimal holds a sum of integers: a 64-bit integer if it fits, otherwise the nearest double.
    fileprivate var sumType: AttributeType? {
        switch number {
        case .integer, .decimal: .decimal
        case .double, .float: .double
        case .time, nil: nil
        }
    }
}
