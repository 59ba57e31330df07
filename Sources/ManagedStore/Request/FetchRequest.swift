import Foundation

/// Describes the objects to fetch, their order and the kind of result.
///
/// ```swift
/// var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
/// request.predicate = FetchPredicate(#Predicate<Item> { !$0.done })
/// let items = try context.fetch(request)
/// ```
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The entity to fetch.
    public let entityName: String
    /// The condition on the objects; nil means all objects.
    public var predicate: FetchPredicate?
    /// The order of the objects; without sort descriptors, the order is unspecified.
    public var sortDescriptors: [FetchSortDescriptor]
    /// The maximum number of objects; 0 means no limit. It applies after unsaved changes are taken into account.
    public var fetchLimit = 0
    /// The number of objects to skip at the start.
    public var fetchOffset = 0
    /// The number of rows to read at a time; 0 means all at once.
    ///
    /// The fetch itself then reads only keys, and the first access to an object reads the rows of its batch: up to this
    /// number of consecutive objects of one entity, at most 4,096.
    ///
    /// The values are those in the store at the time of that read. Only `fetch` uses batches. An asynchronous fetch
    /// reads all rows off the queue before it delivers, and a fetched results controller needs all rows.
    public var fetchBatchSize = 0
    /// The names of relationships, or key paths of them such as `"list.owner"`, whose destinations are read together
    /// with the objects.
    ///
    /// Following them afterwards, and reading attributes of the objects that they lead to, then costs no statement. A
    /// fetch reads each relationship with one statement; with two if the store keeps its pairs or its order apart from
    /// the rows; with a few if the keys are many and far apart. With a `fetchBatchSize`, each batch brings its related
    /// objects along. <doc:Fetching> shows an example.
    ///
    /// The context holds the related objects until no object of the result is in use, which it finds out at a later
    /// fetch, or until it is reset or all its objects are refreshed. What the context knew before stays as it is:
    /// unsaved changes, the values of objects in use, and the members of relationships that were read. The latter two
    /// take on the store's if `shouldRefreshRefetchedObjects` is set.
    ///
    /// Only a fetch of objects reads in advance. An asynchronous one does so on the context's queue, when it delivers.
    /// A fetched results controller does so when it fetches, but not for objects that join its list later.
    /// A key path that is not made of relationships is an error with `invalidRequest`.
    public var relationshipKeyPathsForPrefetching: [String] = []
    /// The kind of result that `execute` returns.
    public var resultType = FetchResultType.managedObject
    /// The content of dictionaries, which may lead through to-one relationships (`"folder.name"`); all attributes if
    /// this is empty. It applies only to ``FetchResultType/dictionary``, like the next three properties.
    public var propertiesToFetch: [FetchExpression] = []
    /// The attributes and to-one relationships, or their names in `propertiesToFetch`, that define groups. An attribute
    /// may be one that to-one relationships lead to (`"folder.name"`); where one leads nowhere, the value is missing.
    /// Objects with the same values become one dictionary, and missing values are the same.
    public var propertiesToGroupBy: [String] = []
    /// A condition on groups: on the properties in `propertiesToGroupBy` and the names in `propertiesToFetch`.
    public var havingPredicate: FetchPredicate?
    /// Whether repeated dictionaries are left out.
    public var returnsDistinctResults = false
    /// Whether the context's unsaved insertions, changes and deletions are taken into account.
    public var includesPendingChanges = true
    /// Whether objects of subentities are fetched as well.
    public var includesSubentities = true
    /// Whether objects are faults until their first access. Their values are in memory in either case.
    public var returnsObjectsAsFaults = true
    /// Whether registered objects without unsaved changes take on the fetched values.
    public var shouldRefreshRefetchedObjects = false

    /// Makes a request for the objects of a typed class.
    public init(_ type: Object.Type, sortBy: [SortDescriptor<Object>] = [], predicate: FetchPredicate? = nil) {
        entityName = type.entityName
        self.predicate = predicate
        sortDescriptors = sortBy.map { FetchSortDescriptor($0) }
    }

    /// Makes a request for the objects of an entity, as instances of `Object`: the entity's class or one of its
    /// superclasses.
    public init(entity: EntityDescription, predicate: FetchPredicate? = nil) {
        entityName = entity.name
        sortDescriptors = []
        self.predicate = predicate
    }

    /// Makes a request for the objects of the entity `entityName`.
    public init(
        entityName: String, sortDescriptors: [FetchSortDescriptor] = [], predicate: FetchPredicate? = nil
    ) where Object == ManagedObject {
        self.entityName = entityName
        self.sortDescriptors = sortDescriptors
        self.predicate = predicate
    }
}

/// The kind of result of a fetch.
public enum FetchResultType: String, Sendable {
    /// Objects.
    case managedObject = "ManagedObjectResultType"
    /// IDs, without reading the rows.
    case managedObjectID = "ManagedObjectIDResultType"
    /// The number of objects.
    case count = "CountResultType"
    /// Stored and computed values, without objects.
    case dictionary = "DictionaryResultType"
}

/// The result of ``ManagedObjectContext/execute(_:)->FetchResult<Object>``, of the requested kind.
public enum FetchResult<Object: ManagedObject> {
    /// Objects, in order.
    case objects([Object])
    /// IDs, in order.
    case objectIDs([ManagedObjectID])
    /// The number of objects.
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
    /// The entity, predicate, order and result type, in Core Data's format.
    public var description: String {
        let sort = sortDescriptors.map(\.description).joined(separator: ", ")
        return "(entity: \(entityName); predicate: (\(predicate?.description ?? "(null)")); "
            + "sortDescriptors: (\(sortDescriptors.isEmpty ? "(null)" : sort)); type: \(resultType.rawValue))"
    }
}
