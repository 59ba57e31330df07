import Foundation

/// Inserts many objects into the store itself, in one transaction, without a context holding them.
///
/// Attributes start with their defaults. Of validation, nothing is done but that required attributes must have values,
/// and values the right type: no limits, lengths, patterns or hooks of the class. No notification is posted, and
/// contexts learn of the objects by fetching them.
///
/// ```swift
/// var number = 0
/// let request = BatchInsertRequest(Item.self) { item in
///     if number == 1_000 { return true }
///     item.name = "Item \(number)"
///     item.createdAt = Date()
///     number += 1
///     return false
/// }
/// _ = try context.execute(request)
/// ```
public struct BatchInsertRequest {
    /// What `execute` hands back.
    public enum ResultType: Sendable {
        /// Nothing but that it was done.
        case statusOnly
        /// The IDs of the new objects.
        case objectIDs
        /// How many objects were inserted.
        case count
    }

    /// Where the values come from.
    enum Values {
        case dictionaries([[String: Any?]])
        case dictionaryHandler((inout [String: Any?]) -> Bool)
        case objectHandler((ManagedObject) -> Bool)
    }

    /// The entity whose objects are inserted.
    public let entityName: String
    /// What `execute` hands back.
    public var resultType = ResultType.statusOnly
    let values: Values

    /// Inserts an object for every dictionary: values by key, as `setValue(_:forKey:)` takes them.
    public init(entityName: String, objects dictionaries: [[String: Any?]]) {
        self.entityName = entityName
        values = .dictionaries(dictionaries)
    }

    /// Calls `handler` with an empty dictionary again and again, and inserts an object for each that it filled, until
    /// it returns true: then it is done, and what it filled last is not inserted.
    public init(entityName: String, dictionaryHandler handler: @escaping (inout [String: Any?]) -> Bool) {
        self.entityName = entityName
        values = .dictionaryHandler(handler)
    }

    /// Calls `handler` with an object again and again, and inserts each that it filled, until it returns true: then it
    /// is done, and what it filled last is not inserted.
    ///
    /// The objects belong to no context once the handler has returned: they are for writing attributes only. Setting a
    /// relationship of one traps, since nothing can refer to what has no key yet.
    public init(entityName: String, managedObjectHandler handler: @escaping (ManagedObject) -> Bool) {
        self.entityName = entityName
        values = .objectHandler(handler)
    }

    /// As ``init(entityName:managedObjectHandler:)``, for a typed class.
    public init<Object: ManagedObject>(
        _ type: Object.Type, managedObjectHandler handler: @escaping (Object) -> Bool
    ) {
        entityName = type.entityName
        values = .objectHandler { object in
            guard let object = object as? Object else {
                fatalError("the model's entity \(object.entity.name) is not represented by \(Object.self)")
            }
            return handler(object)
        }
    }
}

/// What became of a ``BatchInsertRequest``, in the form that it asked for.
public enum BatchInsertResult: Sendable {
    /// It was done.
    case statusOnly
    /// The IDs of the new objects, in the order in which they were given.
    case objectIDs([ManagedObjectID])
    /// How many objects were inserted.
    case count(Int)
}
