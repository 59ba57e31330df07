import Foundation

/// Changes attributes of many objects in the store itself, in one statement, without loading them.
///
/// Nothing is validated, no notification is posted, and objects that contexts hold stay as they are until they are refreshed
/// or the updated IDs are merged. The version of each updated row rises, so that a context holding stale values meets a
/// conflict when it saves them, instead of overwriting.
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
public indirect enum BatchExpression: Sendable {
    /// A constant.
    case stored(StoredValue)
    /// The value that an attribute had before the update.
    case attribute(String)
    /// The sum of two numbers; seconds may be added to a date.
    case add(BatchExpression, BatchExpression)
    /// The difference of two numbers.
    case subtract(BatchExpression, BatchExpression)
    /// The product of two numbers.
    case multiply(BatchExpression, BatchExpression)
    /// The opposite of a bool.
    case not(BatchExpression)

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
