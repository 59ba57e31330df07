/// Values that are computed.
extension PredicateResolver {
    private typealias Expression = BatchUpdatePlan.Expression

    /// How deep operations nest, which no database takes without a limit.
    private static var operationDepth: Int { 6 }

    func values(
        _ left: PredicateValue, _ comparison: FetchPredicate.Comparison, _ right: PredicateValue, _ level: Int
    ) throws(StoreError) -> ResolvedPredicate {
        let (left, right) = (try expression(left, level), try expression(right, level))
        if left.type == .objectID, comparison != .equal, comparison != .notEqual {
            throw StoreError(
                .invalidRequest, "relationships are compared with == or !=, not with \(comparison.rawValue)")
        }
        if max(left.value.depth, right.value.depth) > Self.operationDepth {
            throw StoreError(
                .invalidRequest,
                "a value of the predicate nests operations deeper than \(Self.operationDepth); compare parts of it")
        }
        return .values(left.value, comparison, right.value)
    }

    private func expression(
        _ value: PredicateValue, _ level: Int
    ) throws(StoreError) -> (value: Expression, type: AttributeType) {
        switch value {
        case .stored(let value): return (.constant(value), try value.operandType)
        case .key(let key):
            let (path, rest, end) = try path(key)
            let position = try end.entity.fieldPosition(of: rest)
            let type = end.entity.layout.fields[position].type
            return (path.isEmpty ? .attribute(position) : .related(path, position), type)
        case .count(let key, let condition):
            let (path, rest, end) = try path(key)
            let relationship = try end.toMany(named: rest, for: "count")
            let inner = PredicateResolver(source: end.sibling(relationship.destination))
            let resolved = try condition.map { node throws(StoreError) in
                try inner.resolve(SignedNode(node), level: level)
            }
            return (.count(path, relationship, resolved), .integer64)
        case .arithmetic(let operation, let left, let right):
            return try Expression.computed(operation, try expression(left, level), try expression(right, level))
        }
    }

    /// Returns the to-one relationships that a key begins with, the rest of the key, and where it belongs.
    private func path(_ key: String) throws(StoreError) -> ([ResolvedRelationship], String, ObjectIDSource) {
        var (path, rest, end) = ([ResolvedRelationship](), key[...], source)
        // Rows of dictionaries have the values of key paths as attributes.
        if source.entity.attributes.contains(where: { $0.name == key }) { return (path, key, end) }
        while let dot = rest.firstIndex(of: ".") {
            let relationship = try end.relationship(named: String(rest[..<dot]))
            guard !relationship.isToMany else {
                throw StoreError(
                    .invalidRequest,
                    "\(end.entity.name).\(relationship.name) leads to many objects, whose \(key) is no single value",
                    key: key)
            }
            path.append(relationship)
            (rest, end) = (rest[rest.index(after: dot)...], end.sibling(relationship.destination))
        }
        return (path, String(rest), end)
    }
}
