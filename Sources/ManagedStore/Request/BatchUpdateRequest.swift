import Foundation

/// Changes attributes of many objects in the store itself, in one statement, without loading them.
///
/// Nothing is validated, no notification is posted, and objects that contexts hold stay as they are until they are
/// refreshed or the updated IDs are merged. The version of each updated row rises, so that a context holding stale
/// values meets a conflict when it saves them, instead of overwriting.
///
/// ```swift
/// var request = BatchUpdateRequest(entityName: "Item", set: ["done": .value(true)])
/// request.resultType = .updatedObjectIDs
/// let result = try context.execute(request)
/// ```
public struct BatchUpdateRequest: Sendable {
    /// What `execute` hands back.
    public enum ResultType: Sendable {
        /// Nothing but that it was done.
        case statusOnly
        /// The IDs of the objects that were updated.
        case updatedObjectIDs
        /// How many objects were updated.
        case updatedObjectsCount
    }

    /// The entity whose objects are updated.
    public let entityName: String
    /// The new values by attribute: constants, or expressions over the values before the update.
    public var propertiesToUpdate: [String: BatchExpression]
    /// Which objects; nil means all.
    public var predicate: FetchPredicate?
    /// Whether objects of entities that inherit from the entity are updated too.
    public var includesSubentities = true
    /// What `execute` hands back.
    public var resultType = ResultType.statusOnly

    /// A request for the entity called `entityName`.
    public init(entityName: String, set properties: [String: BatchExpression] = [:], predicate: FetchPredicate? = nil) {
        self.entityName = entityName
        propertiesToUpdate = properties
        self.predicate = predicate
    }

    /// A request for the entity of a typed class.
    public init(
        _ type: ManagedObject.Type, set properties: [String: BatchExpression] = [:], predicate: FetchPredicate? = nil
    ) {
        self.init(entityName: type.entityName, set: properties, predicate: predicate)
    }
}

/// What became of a ``BatchUpdateRequest``, in the form that it asked for.
public enum BatchUpdateResult: Sendable {
    /// It was done.
    case statusOnly
    /// The IDs of the objects that were updated, in ascending order of keys.
    case updatedObjectIDs([ManagedObjectID])
    /// How many objects were updated.
    case updatedObjectsCount(Int)
}

/// A new value in a batch update: a constant, or computed from the row's old values.
///
/// ```swift
/// request.propertiesToUpdate = [
///     "visits": .attribute("visits") + 1, "done": !.attribute("done"), "name": "unnamed",
/// ]
/// ```
///
/// An expression may have 500 operations and 15 levels of parentheses, `!` being one: `a - b - c` has none, `a - (b -
/// c)` one.
public struct BatchExpression: Sendable {
    indirect enum Node: Sendable {
        case stored(StoredValue)
        case attribute(String)
        case arithmetic(BatchUpdatePlan.Operator, BatchExpression, BatchExpression)
        case not(BatchExpression)
    }

    let node: Node
    /// How many operations there are in it.
    let operations: Int
    /// How many levels of parentheses it takes to write it.
    let depth: Int

    static let operationLimit = 500
    static let depthLimit = 15

    private init(_ node: Node) {
        (self.node, operations, depth) = (node, 0, 0)
    }

    /// Beyond the limits nothing but the numbers is kept: what is nested deeper than a stack goes could not even be
    /// released.
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
    /// The value that an attribute had before the update.
    public static func attribute(_ key: String) -> BatchExpression { BatchExpression(.attribute(key)) }
    /// The sum of two numbers; seconds may be added to a date.
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
    /// The opposite of a bool.
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
    /// The opposite of a bool.
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
