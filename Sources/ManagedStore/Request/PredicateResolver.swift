import Foundation

extension FetchPredicate {
    /// The maximum number of relationships from an object to the farthest one that a condition or an order reads.
    static let reachLimit = 16
    /// The maximum number of conditions in a predicate.
    static let sizeLimit = 1_000_000

    /// Resolves the properties in the entity of `source` and converts the constants to their types.
    ///
    /// - Throws: `StoreError` with `unknownKey`, `wrongType` or `invalidRequest`.
    func resolved(for source: ObjectIDSource) throws(StoreError) -> ResolvedPredicate {
        try node.get().resolved(for: source)
    }
}

extension FetchPredicate.Node {
    /// - Throws: `StoreError` with `unknownKey`, `wrongType` or `invalidRequest`.
    func resolved(for source: ObjectIDSource) throws(StoreError) -> ResolvedPredicate {
        try checkLimits()
        return try PredicateResolver(source: source).resolve(SignedNode(self))
    }

    /// - Throws: `StoreError` with `invalidRequest` for more conditions than can be walked.
    func checkLimits() throws(StoreError) {
        if reach > FetchPredicate.reachLimit {
            throw StoreError(
                .invalidRequest,
                "the predicate's conditions on related objects are nested \(reach) deep; the limit is "
                    + "\(FetchPredicate.reachLimit)")
        }
        if size > FetchPredicate.sizeLimit {
            throw StoreError(
                .invalidRequest,
                "the predicate is made of \(size == .max ? "countless" : "\(size)") conditions; the limit is "
                    + "\(FetchPredicate.sizeLimit)")
        }
    }
}

/// A condition or its negation. Negations move inwards, where a double negation disappears.
struct SignedNode {
    let node: FetchPredicate.Node
    let isNegated: Bool

    init(_ node: FetchPredicate.Node, isNegated: Bool = false) {
        var (node, isNegated) = (node, isNegated)
        while let branch = node.branch, case .not = branch.operation {
            (node, isNegated) = (branch.parts[0], !isNegated)
        }
        (self.node, self.isNegated) = (node, isNegated)
    }

    /// How the operands are joined; nil if there are none.
    var joint: FetchPredicate.Joint? { isNegated ? node.joint?.opposite : node.joint }

    /// The operands. An operand with the same joint is replaced by its own operands.
    var operands: [SignedNode] {
        let joint = joint
        var (operands, pending) = ([SignedNode](), [self])
        while let next = pending.popLast() {
            if let joint, next.joint == joint, let branch = next.node.branch {
                pending += branch.parts.reversed().map { SignedNode($0, isNegated: next.isNegated) }
            } else {
                operands.append(next)
            }
        }
        return operands
    }
}

/// Resolves properties, converts constants, and flattens deep conditions.
///
/// The upper levels stay as they are, since a store finds rows by them. Below, the resolver follows the largest part of
/// each level. Each level on this path becomes a step that either decides or leaves the decision to the next step. Only
/// the smaller parts, each at most half of the whole, are resolved recursively. The depth is thus at most logarithmic
/// in the number of conditions.
struct PredicateResolver {
    let source: ObjectIDSource

    /// The number of levels that stay as they are at the top, including those of conditions on related objects.
    private static let upperLevels = 6
    /// The number of levels that stay as they are anywhere.
    private static let fewLevels = 2

    func resolve(_ signed: SignedNode, level: Int = 0) throws(StoreError) -> ResolvedPredicate {
        guard let joint = signed.joint else {
            let leaf = try leaf(signed.node, level)
            return signed.isNegated ? leaf.opposite : leaf
        }
        if level >= Self.upperLevels, signed.node.levels > Self.fewLevels { return try decision(signed) }
        let parts = try signed.operands.map { part throws(StoreError) in try resolve(part, level: level + 1) }
        return joint == .and ? .and(parts) : .or(parts)
    }

    private func decision(_ signed: SignedNode) throws(StoreError) -> ResolvedPredicate {
        var (current, steps) = (signed, [ResolvedPredicate.Step]())
        while let joint = current.joint, current.node.levels > Self.fewLevels {
            let operands = current.operands
            guard let largest = operands.indices.max(by: { operands[$0].node.size < operands[$1].node.size }) else {
                break
            }
            for (index, part) in operands.enumerated() where index != largest {
                // With `and` a false operand decides, with `or` a true one.
                let deciding = joint == .and ? SignedNode(part.node, isNegated: !part.isNegated) : part
                steps.append(.init(condition: try resolve(deciding, level: Self.upperLevels), result: joint == .or))
            }
            current = operands[largest]
        }
        return .decision(steps, otherwise: try resolve(current, level: Self.upperLevels))
    }

    private func leaf(_ node: FetchPredicate.Node, _ level: Int) throws(StoreError) -> ResolvedPredicate {
        if case .values(let left, let comparison, let right) = node {
            return try values(left, comparison, right, level)
        }
        if let through = try through(node, level) { return through }
        guard let branch = node.branch, case .related(let key, let quantifier) = branch.operation else {
            return try node.resolvedAlone(source)
        }
        let relationship = try source.toMany(named: key, for: quantifier.rawValue)
        let inner = PredicateResolver(source: source.sibling(relationship.destination))
        return .related(quantifier, relationship, try inner.resolve(SignedNode(branch.parts[0]), level: level))
    }

    /// Resolves a condition on what a to-one relationship leads to, if the key begins with one; nil for other keys.
    private func through(_ node: FetchPredicate.Node, _ level: Int) throws(StoreError) -> ResolvedPredicate? {
        guard let key = node.key, let dot = key.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        // Rows of dictionaries have the values of key paths as attributes.
        if source.entity.attributes.contains(where: { $0.name == key }) { return nil }
        let relationship = try source.relationship(named: String(key[..<dot]))
        guard !relationship.isToMany else {
            throw StoreError(
                .invalidRequest,
                "\(source.entity.name).\(relationship.name) leads to many objects; say whether any, all or none of them should "
                    + "meet the condition on \(key)", key: key)
        }
        let inner = PredicateResolver(source: source.sibling(relationship.destination))
        let condition = try inner.leaf(node.with(key: String(key[key.index(after: dot)...])), level)
        return .through(relationship, condition, ifMissing: node.holdsForMissing)
    }
}

extension ResolvedPredicate {
    /// The negation, without `not` if the condition has a counterpart.
    fileprivate var opposite: ResolvedPredicate {
        switch self {
        case .constant(let value): .constant(!value)
        case .compare(let position, .equal, let value): .compare(position, .notEqual, value)
        case .compare(let position, .notEqual, let value): .compare(position, .equal, value)
        case .related(.any, let relationship, let condition): .related(.none, relationship, condition)
        case .related(.none, let relationship, let condition): .related(.any, relationship, condition)
        default: .not(self)
        }
    }
}

/// Conditions on a property of the object itself.
extension FetchPredicate.Node {
    fileprivate func resolvedAlone(_ source: ObjectIDSource) throws(StoreError) -> ResolvedPredicate {
        let entity = source.entity
        switch self {
        case .compare(let key, let comparison, let value, let options):
            return try Self.comparison(key, comparison, value, options, source)
        case .between(let key, let low, let high, let options):
            return .and([
                try Self.comparison(key, .greaterOrEqual, low, options, source),
                try Self.comparison(key, .lessOrEqual, high, options, source),
            ])
        case .in(let key, let values, let options):
            let position = try entity.fieldPosition(of: key)
            let fitted = try Self.fit(values, to: position, of: source)
            guard try entity.folds(options, at: position) else { return .in(position, fitted) }
            return .folded(position, fitted, options)
        case .match(let key, let match, let value, let options):
            let position = try entity.position(of: key)
            guard entity.attributes[position].attributeType == .string else {
                throw entity.notAString(position, match.rawValue)
            }
            return .text(position, try TextTest(checking: match, value, options))
        case .objectIDs(let ids):
            let own = ids.filter { $0.mayIdentify(entity, in: source) }
            return .keys(ObjectIDSet.sortedUnique(own.map(\.key)))
        case .count(let key, let comparison, let count):
            return .count(try source.toMany(named: key, for: "count"), comparison, count)
        case .constant(let value): return .constant(value)
        case .branch, .values: return .constant(false)
        }
    }

    private static func comparison(
        _ key: String, _ comparison: FetchPredicate.Comparison, _ value: StoredValue,
        _ options: FetchPredicate.StringOptions, _ source: ObjectIDSource
    ) throws(StoreError) -> ResolvedPredicate {
        let entity = source.entity
        let position = try entity.fieldPosition(of: key)
        if position >= entity.attributes.count, comparison != .equal, comparison != .notEqual {
            throw StoreError(
                .invalidRequest,
                "\(entity.name).\(key) is a relationship; compare it with == or !=, not with "
                    + comparison.rawValue, key: key)
        }
        let fitted = try Self.fit([value], to: position, of: source)[0]
        guard try entity.folds(options, at: position) else { return .compare(position, comparison, fitted) }
        return .folded(position, comparison, fitted, options)
    }

    private static func fit(
        _ values: [StoredValue], to position: Int, of source: ObjectIDSource
    ) throws(StoreError) -> [StoredValue] {
        let entity = source.entity
        if position < entity.attributes.count {
            return try values.map { value throws(StoreError) in try fit(value, to: position, of: entity) }
        }
        let toOnes = entity.relationships.filter { !$0.isToMany }
        let destination = toOnes[position - entity.attributes.count].destinationEntityName
        let related = try source.model.entity(named: destination)
        return try values.map { value throws(StoreError) in
            if value == .null { return value }
            guard case .objectID(let id) = value else {
                throw StoreError(
                    .wrongType,
                    "\(entity.name).\(entity.fieldNames[position]) is compared with an object's ID, and \(value) is not one"
                )
            }
            // An object that the relationship cannot lead to may have the key of one that it leads to.
            if id.mayIdentify(related, in: source) { return value }
            return .objectID(ManagedObjectID(source: id.source, key: ManagedObjectID.noKey))
        }
    }

    private static func fit(
        _ value: StoredValue, to position: Int, of entity: EntityDescription
    ) throws(StoreError) -> StoredValue {
        let attribute = entity.attributes[position]
        guard let fitted = value.comparable(to: attribute.attributeType) else {
            throw StoreError.wrongType(value, attribute: attribute, entity: entity.name)
        }
        if fitted.isNaN {
            throw StoreError(
                .invalidRequest,
                "\(entity.name).\(attribute.name) is compared with NaN, which equals no value; use isNil(_:) for a "
                    + "missing one"
            )
        }
        return fitted
    }
}

extension ManagedObjectID {
    /// Whether an object of `entity`, or of another entity in its table, in the store of `source` can have the ID.
    fileprivate func mayIdentify(_ entity: EntityDescription, in source: ObjectIDSource) -> Bool {
        self.source.storeIdentifier == source.storeIdentifier && self.entity.root.name == entity.root.name
    }
}
