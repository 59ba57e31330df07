import Foundation

/// Inserts many objects directly into the store in one transaction, without registering them in a context.
///
/// Attributes start with their defaults. Validation is limited to the types of values and the presence of required
/// ones; it omits limits, lengths, patterns and the class's own methods. The request posts no notification; contexts
/// fetch the objects to get them.
///
/// Where an object of the store, or an earlier one of the batch, has a value that must be unique, the context's merge
/// policy decides: ``MergePolicy/mergeByPropertyObjectTrump`` and ``MergePolicy/overwrite`` change it,
/// ``MergePolicy/mergeByPropertyStoreTrump`` and ``MergePolicy/rollback`` leave the new one out.
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
    /// The kind of result that `execute` returns.
    public enum ResultType: Sendable {
        /// No result.
        case statusOnly
        /// The IDs of the new objects, and of those that were changed instead.
        case objectIDs
        /// The number of these objects.
        case count
    }

    /// The source of the values.
    enum Values {
        case dictionaries([[String: Any?]])
        case dictionaryHandler((inout [String: Any?]) -> Bool)
        case objectHandler((ManagedObject) -> Bool)
    }

    /// The entity whose objects are inserted.
    public let entityName: String
    /// The kind of result that `execute` returns.
    public var resultType = ResultType.statusOnly
    let values: Values

    /// Inserts an object for each dictionary, which holds values by key as `setValue(_:forKey:)` takes them.
    public init(entityName: String, objects dictionaries: [[String: Any?]]) {
        self.entityName = entityName
        values = .dictionaries(dictionaries)
    }

    /// Calls `handler` repeatedly with an empty dictionary, and inserts an object for each dictionary that it filled.
    /// When it returns true, the insertion ends, and the last dictionary is ignored.
    public init(entityName: String, dictionaryHandler handler: @escaping (inout [String: Any?]) -> Bool) {
        self.entityName = entityName
        values = .dictionaryHandler(handler)
    }

    /// Calls `handler` repeatedly with an object, and inserts each object that it filled. When it returns true, the
    /// insertion ends, and the last object is ignored.
    ///
    /// Use the objects only within the handler, and only to set attributes: they belong to no context. Setting a
    /// relationship traps, since an object without a key cannot be referred to.
    public init(entityName: String, managedObjectHandler handler: @escaping (ManagedObject) -> Bool) {
        self.entityName = entityName
        values = .objectHandler(handler)
    }

    /// Makes the same request as ``init(entityName:managedObjectHandler:)`` for a typed class.
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

/// The result of a ``BatchInsertRequest``, of the requested kind.
public enum BatchInsertResult: Sendable {
    /// No result.
    case statusOnly
    /// The IDs of the new objects, and of those that were changed instead, in the order of the batch and each once.
    case objectIDs([ManagedObjectID])
    /// The number of these objects.
    case count(Int)
}
