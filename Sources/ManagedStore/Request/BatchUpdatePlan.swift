import Foundation

/// A batch update with resolved attributes and checked values, as stores execute it.
struct BatchUpdatePlan: Sendable {
    /// An expression over the positions of an entity's attributes. Conditions compare such expressions, too.
    indirect enum Expression: Sendable {
        case constant(StoredValue)
        case attribute(Int)
        /// The property at a position of the row at the end of a path of to-one relationships. Only in conditions.
        case related([ResolvedRelationship], Int)
        /// The number of rows of a to-many relationship at the end of such a path, or of those that meet a condition.
        /// Only in conditions.
        case count([ResolvedRelationship], ResolvedRelationship, ResolvedPredicate?)
        /// Computed from the left with any operators.
        case chain(Expression, [Link])
        case not(Expression)

        /// An operator and its right operand.
        struct Link: Sendable {
            let operation: Operator
            let operand: Expression
            /// Whether integers are computed, with 64 bits: a result beyond these is clamped.
            let isWhole: Bool
        }
    }

    enum Operator: String, Sendable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        /// Only in conditions.
        case divide = "/"
        /// Only in conditions.
        case remainder = "%"
    }

    /// The rows to update.
    let rows: FetchPlan
    /// The new value of each attribute, by position.
    let assignments: [(position: Int, value: Expression)]
    let wantsKeys: Bool

    var layout: RowLayout { rows.source.entity.layout }
}

extension BatchUpdateRequest {
    /// Checks the request against the entity of `source`.
    ///
    /// - Throws: `StoreError` with `invalidRequest`, `unknownKey` or `wrongType`.
    func resolved(for source: ObjectIDSource) throws(StoreError) -> BatchUpdatePlan {
        let entity = source.entity
        guard !propertiesToUpdate.isEmpty else {
            throw StoreError(.invalidRequest, "a batch update of \(entity.name) needs propertiesToUpdate; it has none")
        }
        let assignments = try propertiesToUpdate.sorted { $0.key < $1.key }.map { property throws(StoreError) in
            let (key, expression) = property
            let position = try entity.position(of: key)
            try expression.checkLimits("\(entity.name).\(key)")
            return (position, try Self.assignment(of: expression, to: position, of: entity))
        }
        let rows = FetchPlan(
            source: source, includesSubentities: includesSubentities,
            predicate: try predicate?.resolved(for: source))
        return BatchUpdatePlan(rows: rows, assignments: assignments, wantsKeys: resultType == .updatedObjectIDs)
    }

    private static func assignment(
        of expression: BatchExpression, to position: Int, of entity: EntityDescription
    ) throws(StoreError) -> BatchUpdatePlan.Expression {
        let attribute = entity.attributes[position]
        if case .stored(let value) = expression.node {
            guard let fitted = value.fitted(to: attribute.attributeType) else {
                throw StoreError.wrongType(value, attribute: attribute, entity: entity.name)
            }
            if fitted == .null, !attribute.isOptional {
                throw StoreError(
                    .validationMissingMandatoryProperty,
                    "\(entity.name).\(attribute.name) is required and cannot be set to nil")
            }
            if fitted.isNaN { throw StoreError.notANumber(attribute, entity.name) }
            return .constant(fitted)
        }
        let (resolved, type) = try resolve(expression, in: entity)
        guard type.canBeAssigned(to: attribute.attributeType) else {
            throw StoreError(
                .wrongType,
                "the expression for \(entity.name).\(attribute.name) is a \(type.rawValue), not a "
                    + attribute.attributeType.rawValue)
        }
        return resolved
    }

    private static func resolve(
        _ expression: BatchExpression, in entity: EntityDescription
    ) throws(StoreError) -> (BatchUpdatePlan.Expression, AttributeType) {
        switch expression.node {
        case .stored(let value):
            guard let type = value.type else {
                throw StoreError(.invalidRequest, "nil cannot be part of an expression; use nil as the whole value")
            }
            if value.isNaN {
                throw StoreError(.notANumber(type), "NaN cannot be part of an expression; no store can hold it")
            }
            return (.constant(value), type)
        case .attribute(let key):
            let position = try entity.position(of: key)
            return (.attribute(position), entity.attributes[position].attributeType)
        case .arithmetic: return try chain(expression, in: entity)
        case .not(let operand):
            let (resolved, type) = try resolve(operand, in: entity)
            guard type == .boolean else { throw StoreError(.wrongType, "! needs a bool, not a \(type.rawValue)") }
            return (.not(resolved), .boolean)
        }
    }

    /// Checks `a + b - c`, from the left.
    private static func chain(
        _ expression: BatchExpression, in entity: EntityDescription
    ) throws(StoreError) -> (BatchUpdatePlan.Expression, AttributeType) {
        var (first, operations) = (expression, [(BatchUpdatePlan.Operator, BatchExpression)]())
        while case .arithmetic(let operation, let left, let right) = first.node {
            operations.append((operation, right))
            first = left
        }
        var (resolved, type) = try resolve(first, in: entity)
        var links: [BatchUpdatePlan.Expression.Link] = []
        for (operation, right) in operations.reversed() {
            let (operand, operandType) = try resolve(right, in: entity)
            type = try AttributeType.result(of: operation, type, operandType)
            links.append(.init(operation: operation, operand: operand, isWhole: type == .integer64))
        }
        resolved = .chain(resolved, links)
        return (resolved, type)
    }
}

extension BatchExpression {
    /// - Throws: `StoreError` with `invalidRequest` if the expression exceeds SQLite's limits.
    fileprivate func checkLimits(_ name: String) throws(StoreError) {
        if depth > Self.depthLimit {
            throw StoreError(
                .invalidRequest, "the expression for \(name) is nested \(depth) deep; the limit is \(Self.depthLimit)")
        }
        if operations > Self.operationLimit {
            throw StoreError(
                .invalidRequest,
                "the expression for \(name) has \(operations == .max ? "countless" : "\(operations)") operations; the limit is "
                    + "\(Self.operationLimit)")
        }
    }
}

extension AttributeType {
    /// The type in which expressions compute such values, as SQLite does: 64-bit integers and doubles.
    fileprivate var computed: AttributeType {
        switch number {
        case .integer: .integer64
        case .double, .float: .double
        case .decimal: .decimal
        case .time, nil: self
        }
    }

    /// Returns the type of a result.
    ///
    /// - Throws: `StoreError` with `wrongType` if the operation is undefined.
    static func result(
        of operation: BatchUpdatePlan.Operator, _ left: AttributeType, _ right: AttributeType
    ) throws(StoreError) -> AttributeType {
        if let result = result(of: operation, computed: left.computed, right.computed) { return result }
        throw StoreError(.wrongType, "\(left.rawValue) \(operation.rawValue) \(right.rawValue) cannot be computed")
    }

    private static func result(
        of operation: BatchUpdatePlan.Operator, computed left: AttributeType, _ right: AttributeType
    ) -> AttributeType? {
        switch (left, right) {
        case (.integer64, .integer64): .integer64
        case _ where operation == .remainder: nil
        case (.integer64, .double), (.double, .integer64), (.double, .double): .double
        case (.decimal, _) where operation == .divide, (_, .decimal) where operation == .divide: nil
        case (.decimal, .integer64), (.decimal, .double), (.decimal, .decimal): .decimal
        case (.integer64, .decimal), (.double, .decimal): .decimal
        case (.date, .double), (.date, .integer64): operation == .add || operation == .subtract ? .date : nil
        default: nil
        }
    }

    /// Whether a column of type `other` can hold a computed value of this type.
    fileprivate func canBeAssigned(to other: AttributeType) -> Bool {
        switch (computed, other.computed) {
        case (.integer64, .double), (.integer64, .decimal), (.double, .decimal), (.decimal, .double): true
        case (let own, let others): own == others
        }
    }
}
