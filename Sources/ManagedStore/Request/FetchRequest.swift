import Foundation

/// Describes which objects to fetch, in what order and in what form.
///
/// ```swift
/// var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
/// request.predicate = FetchPredicate(#Predicate<Item> { !$0.done })
/// let items = try context.fetch(request)
/// ```
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The entity to fetch.
    public let entityName: String
    /// Which objects; nil means all.
    public var predicate: FetchPredicate?
    /// In what order; without any, in no particular one.
    public var sortDescriptors: [FetchSortDescriptor]
    /// At most so many objects; 0 means no limit. Applied after unsaved changes were taken into account.
    public var fetchLimit = 0
    /// So many objects are left out at the beginning.
    public var fetchOffset = 0
    /// How many rows are read at a time; 0 means all at once. The fetch itself then reads keys alone, and the first
    /// read of an object reads those of its batch: so many objects of one entity, 4,096 at most, that were found one
    /// after another.
    ///
    /// Values are then as the store has them when they are read. For `fetch` alone: an asynchronous fetch reads all
    /// rows before it delivers, since that is what it does beside the queue, and a fetched results controller needs
    /// them all.
    public var fetchBatchSize = 0
    /// What `execute` hands back.
    public var resultType = FetchResultType.managedObject
    /// What dictionaries hold, be it through to-one relationships (`"folder.name"`); all attributes if this is empty.
    /// For ``FetchResultType/dictionary`` alone, as are the next three.
    public var propertiesToFetch: [FetchExpression] = []
    /// The attributes and to-one relationships, or the names under which they are fetched, that make groups of objects:
    /// those with the same values become one dictionary.
    public var propertiesToGroupBy: [String] = []
    /// Which groups; about what is grouped by, and the names of what is fetched.
    public var havingPredicate: FetchPredicate?
    /// Whether a dictionary that equals another is left out.
    public var returnsDistinctResults = false
    /// Whether the context's unsaved inserts, changes and deletions count.
    public var includesPendingChanges = true
    /// Whether objects of entities that inherit from the entity are fetched too.
    public var includesSubentities = true
    /// Whether objects count as faults until they are first read. Their values are in memory all the same.
    public var returnsObjectsAsFaults = true
    /// Whether registered objects without unsaved changes take on the values that were fetched.
    public var shouldRefreshRefetchedObjects = false

    /// A request for the objects of a typed class.
    public init(_ type: Object.Type, sortBy: [SortDescriptor<Object>] = [], predicate: FetchPredicate? = nil) {
        entityName = type.entityName
        self.predicate = predicate
        sortDescriptors = sortBy.map { FetchSortDescriptor($0) }
    }

    /// A request for the objects of an entity, as instances of `Object`, which must be its class or one that it
    /// inherits from.
    public init(entity: EntityDescription, predicate: FetchPredicate? = nil) {
        entityName = entity.name
        sortDescriptors = []
        self.predicate = predicate
    }

    /// A request for the objects of the entity called `entityName`.
    public init(
        entityName: String, sortDescriptors: [FetchSortDescriptor] = [], predicate: FetchPredicate? = nil
    ) where Object == ManagedObject {
        self.entityName = entityName
        self.sortDescriptors = sortDescriptors
        self.predicate = predicate
    }
}

/// What a fetch hands back.
public enum FetchResultType: String, Sendable {
    /// Objects.
    case managedObject = "ManagedObjectResultType"
    /// IDs alone, without their rows.
    case managedObjectID = "ManagedObjectIDResultType"
    /// How many there are.
    case count = "CountResultType"
    /// Values, computed ones too, without objects.
    case dictionary = "DictionaryResultType"
}

/// What ``ManagedObjectContext/execute(_:)->FetchResult<Object>`` found, in the form that the request asked for.
public enum FetchResult<Object: ManagedObject> {
    /// Objects, in order.
    case objects([Object])
    /// IDs, in order.
    case objectIDs([ManagedObjectID])
    /// How many there are.
    case count(Int)
    /// Values by name, in order.
    case dictionaries([[String: StoredValue]])
}

extension FetchRequest {
    /// - Throws: `StoreError` with `invalidRequest`.
    func checkLimits() throws(StoreError) {
        guard fetchLimit >= 0, fetchOffset >= 0, fetchBatchSize >= 0 else {
            throw StoreError(.invalidRequest, "fetchLimit, fetchOffset and fetchBatchSize must not be negative")
        }
    }
}

extension FetchRequest: CustomStringConvertible {
    /// The entity, predicate, order and result type, as Core Data writes them.
    public var description: String {
        let sort = sortDescriptors.map(\.description).joined(separator: ", ")
        return "(entity: \(entityName); predicate: (\(predicate?.description ?? "(null)")); "
            + "sortDescriptors: (\(sortDescriptors.isEmpty ? "(null)" : sort)); type: \(resultType.rawValue))"
    }
}
