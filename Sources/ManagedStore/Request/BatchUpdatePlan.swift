import Foundation

/// A batch update whose attributes were found in an entity and whose values were checked: what stores carry out.
struct BatchUpdatePlan: Sendable {
    /// An expression over the positions of an entity's attributes.
    indirect enum Expression: Sendable {
        case constant(StoredValue)
        case attribute(Int)
        /// Whole numbers are computed with 64 bits: a result beyond them is the nearest one that they hold.
        case arithmetic(Operator, Expression, Expression, isWhole: Bool)
        case not(Expression)
    }

    enum Operator: String, Sendable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
    }

    /// Which rows.
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
        if case .stored(let value) = expression {
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
        switch expression {
        case .stored(let value):
            guard let type = value.type else {
                throw StoreError(.invalidRequest, "nil cannot stand within an expression")
            }
            if value.isNaN {
                throw StoreError(.notANumber(type), "NaN cannot stand within an expression; no store can keep it")
            }
            return (.constant(value), type)
        case .attribute(let key):
            let position = try entity.position(of: key)
            return (.attribute(position), entity.attributes[position].attributeType)
        case .add(let left, let right): return try arithmetic(.add, left, right, in: entity)
        case .subtract(let left, let right): return try arithmetic(.subtract, left, right, in: entity)
        case .multiply(let left, let right): return try arithmetic(.multiply, left, right, in: entity)
        case .not(let operand):
            let (resolved, type) = try resolve(operand, in: entity)
            guard type == .boolean else { throw StoreError(.wrongType, "! needs a bool, not a \(type.rawValue)") }
            return (.not(resolved), .boolean)
        }
    }

    private static func arithmetic(
        _ operation: BatchUpdatePlan.Operator, _ left: BatchExpression, _ right: BatchExpression,
        in entity: EntityDescription
    ) throws(StoreError) -> (BatchUpdatePlan.Expression, AttributeType) {
        let (leftTerm, leftType) = try resolve(left, in: entity)
        let (rightTerm, rightType) = try resolve(right, in: entity)
        guard let type = AttributeType.result(of: operation, leftType.computed, rightType.computed) else {
            throw StoreError(
                .wrongType, "\(leftType.rawValue) \(operation.rawValue) \(rightType.rawValue) cannot be computed")
        }
        return (.arithmetic(operation, leftTerm, rightTerm, isWhole: type == .integer64), type)
    }
}

extension AttributeType {
    /// The type as which expressions compute with such values, as SQLite does: integers of 64 bits and doubles.
    fileprivate var computed: AttributeType {
        if isInteger { return .integer64 }
        return self == .float ? .double : self
    }

    /// The type of a result; nil when there is none.
    fileprivate static func result(
        of operation: BatchUpdatePlan.Operator, _ left: AttributeType, _ right: AttributeType
    ) -> AttributeType? {
        switch (left, right) {
        case (.integer64, .integer64): .integer64
        case (.integer64, .double), (.double, .integer64), (.double, .double): .double
        case (.decimal, .integer64), (.decimal, .double), (.decimal, .decimal): .decimal
        case (.integer64, .decimal), (.double, .decimal): .decimal
        case (.date, .double), (.date, .integer64): operation == .multiply ? nil : .date
        default: nil
        }
    }

    /// Whether a computed value of this type has a place in a column of `other`.
    fileprivate func canBeAssigned(to other: AttributeType) -> Bool {
        switch (computed, other.computed) {
        case (.integer64, .double), (.integer64, .decimal), (.double, .decimal), (.decimal, .double): true
        case (let own, let others): own == others
        }
    }
}
