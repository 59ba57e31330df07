import Foundation

/// Changes attributes of many objects directly in the store with one statement, without loading them.
///
/// The request validates nothing and posts no notification. Objects that contexts hold stay as they are until they are
/// refreshed or the updated IDs are merged. The request increments the version of each updated row, so that a context
/// with stale values gets a conflict when it saves, rather than overwriting the update.
///
/// ```swift
/// var request = BatchUpdateRequest(entityName: "Item", set: ["done": .value(true)])
/// request.resultType = .updatedObjectIDs
/// let result = try context.execute(request)
/// ```
public struct BatchUpdateRequest: Sendable {
    /// The kind of result that `execute` returns.
    public enum ResultType: Sendable {
        /// No result.
        case statusOnly
        /// The IDs of the updated objects.
        case updatedObjectIDs
        /// The number of updated objects.
        case updatedObjectsCount
    }

    /// The entity whose objects are updated.
    public let entityName: String
    /// The new values by attribute: constants, or expressions on the values before the update.
    public var propertiesToUpdate: [String: BatchExpression]
    /// The condition on the objects; nil means all objects.
    public var predicate: FetchPredicate?
    /// Whether objects of subentities are updated as well.
    public var includesSubentities = true
    /// The kind of result that `execute` returns.
    public var resultType = ResultType.statusOnly

    /// Makes a request for the entity `entityName`.
    public init(entityName: String, set properties: [String: BatchExpression] = [:], predicate: FetchPredicate? = nil) {
        self.entityName = entityName
        propertiesToUpdate = properties
        self.predicate = predicate
    }

    /// Makes a request for the entity of a typed class.
    public init(
        _ type: ManagedObject.Type, set properties: [String: BatchExpression] = [:], predicate: FetchPredicate? = nil
    ) {
        self.init(entityName: type.entityName, set: properties, predicate: predicate)
    }
}

/// The result of a ``BatchUpdateRequest``, of the requested kind.
public enum BatchUpdateResult: Sendable {
    /// No result.
    case statusOnly
    /// The IDs of the updated objects, in ascending order of keys.
    case updatedObjectIDs([ManagedObjectID])
    /// The number of updated objects.
    case updatedObjectsCount(Int)
}

/// A new value in a batch update: a constant, or an expression on the row's old values.
///
/// ```swift
/// request.propertiesToUpdate = [
///     "visits": .attribute("visits") + 1, "done": !.attribute("done"), "name": "unnamed",
/// ]
/// ```
///
/// An expression can have up to 500 operations and 15 levels of parentheses. `!` counts as a level: `a - b - c` has
/// none, `a - (b - c)` has one.
public struct BatchExpression: Sendable {
    indirect enum Node: Sendable {
        case stored(StoredValue)
        case attribute(String)
        case arithmetic(BatchUpdatePlan.Operator, BatchExpression, BatchExpression)
        case not(BatchExpression)
    }

    let node: Node
    /// The number of operations in the expression.
    let operations: Int
    /// The number of levels of parentheses in the written expression.
    let depth: Int

    static let operationLimit = 500
    static let depthLimit = 15

    private init(_ node: Node) {
        (self.node, operations, depth) = (node, 0, 0)
    }

    /// Beyond the limits, the expression keeps only the numbers: releasing nodes that nest deeper than the stack allows
    /// would overflow it.
    private init(_ node: Node, _ operations: [BatchExpression], _ depth: Int) {
        self.operations = operations.reduce(1) { sum, operand in
            let (sum, overflow) = sum.addingReportingOverflow(operand.operations)
            return overflow ? .max : sum
        }
        self.depth = depth
        let isWithin = self.operations <= Self.operationLimit && depth <= Self.depthLimit
        self.node = isWithin ? node : .stored(.null)
    }

    private static func arithmetic(
        _ operation: BatchUpdatePlan.Operator, _ left: BatchExpression, _ right: BatchExpression
    ) -> BatchExpression {
        let leftDepth = operation == .multiply && left.isSum ? left.depth + 1 : left.depth
        let depth = max(leftDepth, right.operations > 0 ? right.depth + 1 : 0)
        return BatchExpression(.arithmetic(operation, left, right), [left, right], depth)
    }

    private var isSum: Bool {
        if case .arithmetic(let operation, _, _) = node { operation != .multiply } else { false }
    }

    /// A constant.
    public static func stored(_ value: StoredValue) -> BatchExpression { BatchExpression(.stored(value)) }
    /// The value of an attribute before the update.
    public static func attribute(_ key: String) -> BatchExpression { BatchExpression(.attribute(key)) }
    /// The sum of two numbers, or of a date and a number of seconds.
    public static func add(_ left: BatchExpression, _ right: BatchExpression) -> BatchExpression {
        arithmetic(.add, left, right)
    }
    /// The difference of two numbers.
    public static func subtract(_ left: BatchExpression, _ right: BatchExpression) -> BatchExpression {
        arithmetic(.subtract, left, right)
    }
    /// The product of two numbers.
    public static func multiply(_ left: BatchExpression, _ right: BatchExpression) -> BatchExpression {
        arithmetic(.multiply, left, right)
    }
    /// The negation of a bool.
    public static func not(_ operand: BatchExpression) -> BatchExpression {
        BatchExpression(.not(operand), [operand], operand.depth + 1)
    }

    /// A constant of any type that an attribute can have.
    public static func value(_ value: some AttributeValue) -> BatchExpression { .stored(value.storedValue) }

    /// The sum of two numbers.
    public static func + (left: BatchExpression, right: BatchExpression) -> BatchExpression { .add(left, right) }
    /// The difference of two numbers.
    public static func - (left: BatchExpression, right: BatchExpression) -> BatchExpression { .subtract(left, right) }
    /// The product of two numbers.
    public static func * (left: BatchExpression, right: BatchExpression) -> BatchExpression { .multiply(left, right) }
    /// The negation of a bool.
    public static prefix func ! (value: BatchExpression) -> BatchExpression { .not(value) }
}

extension BatchExpression: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
    /// A constant bool.
    public init(booleanLiteral value: Bool) { self = .stored(.boolean(value)) }
    /// A constant integer.
    public init(integerLiteral value: Int64) { self = .stored(.integer64(value)) }
    /// A constant double.
    public init(floatLiteral value: Double) { self = .stored(.double(value)) }
    /// A constant string.
    public init(stringLiteral value: String) { self = .stored(.string(value)) }
    /// No value.
    public init(nilLiteral: ()) { self = .stored(.null) }
}
