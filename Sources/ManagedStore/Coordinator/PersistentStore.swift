import Foundation

/// The requirements of a backing store. Every method is callable from any thread.
///
/// The protocol does not assume a local file: rows enter and leave as pages, conditions and orders as resolved values.
protocol PersistentStore: AnyObject, Sendable {
    /// Identifies the store in its objects' URIs; constant for the life of the store.
    var identifier: UUID { get }
    /// The location of the store; nil for a store without one.
    var url: URL? { get }
    /// The part that all IDs of an entity share, in the order of the model's entities.
    var sources: [ObjectIDSource] { get }
    /// The application's own metadata entries as last saved.
    var metadata: [String: StoredValue] { get }
    /// The positions of the derived attributes, which the store computes and a save does not write, by the position of
    /// the entity.
    var derivedAttributes: [Int: [Int]] { get }
    /// The positions of the transformable attributes whose values may have a form other than JSON, by the position of
    /// the entity.
    var archivedAttributes: [Int: [Int]] { get }
    /// Exact counts since the store was opened or its statistics were reset.
    var statistics: StoreStatistics { get }

    /// Returns the decoded rows that `plan` asks for. `control` receives the number found and can cancel.
    func rows(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows
    /// Returns the keys of the rows that `plan` asks for.
    func keys(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FoundKeys
    /// Returns the rows of the result that `plan` describes.
    func dictionaries(_ plan: DictionaryPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows
    /// Returns the number of rows that `plan` asks for.
    func count(_ plan: FetchPlan) throws(StoreError) -> Int
    /// Returns the rows with one of `keys` in any order, and leaves out missing ones. They are rows of the entity at a
    /// position, not of its subentities.
    func rows(withKeys keys: [Int64], of entity: Int) throws(StoreError) -> FetchedRows
    /// Reserves `count` keys of an entity and returns the first.
    func reserveKeys(_ count: Int, of entity: Int) throws(StoreError) -> Int64
    /// Returns the rows that a relationship of the object with the key `owner` leads to, in its order if it has one.
    func relatedRows(to owner: Int64, by relationship: ResolvedRelationship) throws(StoreError) -> RelatedRows
    /// Returns the rows that a to-many relationship of several objects leads to, with their places in the lists.
    func relatedLists(
        to owners: RelatedOwners, by relationship: ResolvedRelationship
    ) throws(StoreError) -> RelatedLists
    /// Returns the greatest place in an ordered one-to-many relationship of each of several objects, by key, without
    /// those whose list is empty. Nil if the store does not tell: the whole lists do.
    func lastPlaces(of owners: [Int64], in relationship: ResolvedRelationship) throws(StoreError) -> [Int64: Int64]?
    /// Saves all of `changes` or nothing. Returns the keys assigned to new rows.
    func commit(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys
    /// Executes a batch update.
    func update(_ plan: BatchUpdatePlan) throws(StoreError) -> BatchOutcome
    /// Deletes the rows that `plan` asks for.
    func delete(_ plan: FetchPlan, wantsKeys: Bool) throws(StoreError) -> BatchOutcome
    /// Writes deferred changes to their final place.
    func checkpoint() throws(StoreError)
    /// Calls `body` for each change of another process or coordinator that the store hears of, with nil for changes
    /// that it cannot name, until it is closed. A store that hears of none ignores this.
    func observeRemoteChanges(_ body: @escaping @Sendable (ObjectIDChanges?) -> Void) throws(StoreError)
    /// Sets the statistics to zero.
    func resetStatistics()
    /// Closes files and connections.
    func close() throws(StoreError)
}

extension PersistentStore {
    var derivedAttributes: [Int: [Int]] { [:] }
    var archivedAttributes: [Int: [Int]] { [:] }
    func observeRemoteChanges(_ body: @escaping @Sendable (ObjectIDChanges?) -> Void) {}

    func lastPlaces(of owners: [Int64], in relationship: ResolvedRelationship) throws(StoreError) -> [Int64: Int64]? {
        nil
    }
}

/// The rows of an entity to fetch, and their order.
struct FetchPlan: Sendable {
    let source: ObjectIDSource
    /// Whether rows of subentities are included.
    var includesSubentities = true
    var predicate: ResolvedPredicate?
    var sort: [ResolvedSort] = []
    /// The maximum number of rows; 0 means no limit.
    var limit = 0
    var offset = 0

    /// The positions of the included entities, in ascending order.
    var entities: [Int] {
        includesSubentities ? source.model.hierarchy.families[source.entityIndex] : [source.entityIndex]
    }

    /// Whether all rows of a hierarchy are included.
    var isWholeHierarchy: Bool {
        source.entityIndex == source.rootIndex && includesSubentities && predicate == nil
            && limit == 0 && offset == 0
    }

    /// Whether rows of the entity at a position are included.
    func includes(_ entity: Int) -> Bool {
        entity == source.entityIndex || includesSubentities && entities.contains(entity)
    }
}

/// The content of a save, by the position of the entity in the model.
struct ChangeSet {
    /// The rows of one entity. The owner of the change set keeps their pages alive.
    struct EntityChanges {
        /// New rows, with temporary keys or reserved ones.
        var inserts: ContiguousArray<RowReference> = []
        /// Changed rows, in writable pages that know their origins.
        var updates: ContiguousArray<RowReference> = []
        /// Rows to delete, as the context knows them.
        var deletes: ContiguousArray<RowReference> = []

        var isEmpty: Bool { count == 0 }
        var count: Int { inserts.count + updates.count + deletes.count }
    }

    var entities: [EntityChanges]
    /// The added and removed links of many-to-many relationships.
    var links: [LinkChange] = []
    /// The new positions in ordered relationships.
    var orders: [OrderChange] = []
    /// The temporary key of the first new object; the keys of the others count down from it.
    var temporaryKeyBase: Int64 = -1
    /// Whether rows may refer to each other.
    var hasRelationships = false
    /// The application's metadata entries, if they changed.
    var metadata: [String: StoredValue]?

    var isEmpty: Bool {
        metadata == nil && links.isEmpty && orders.isEmpty
            && entities.allSatisfy(\.isEmpty)
    }
}

/// An added or removed link of a many-to-many relationship. The keys may be temporary.
struct LinkChange: Sendable {
    /// The relationship's number in the model.
    let join: Int
    /// The key at the end that gives the join table its name.
    let first: Int64
    let second: Int64
    let isAdded: Bool
}

/// The number of an object's position in an ordered relationship. The keys may be temporary.
struct OrderChange: Sendable {
    let relationship: ResolvedRelationship
    let owner: Int64
    let member: Int64
    let number: Int64
}

/// The rows that a relationship leads to.
struct RelatedRows {
    var rows = FetchedRows()
    /// The numbers that order the rows of an ordered relationship.
    var order: [Int64] = []
}

/// The result of a batch update or delete.
struct BatchOutcome: Sendable {
    var count: Int
    /// The updated or deleted keys in ascending order, if requested.
    var keys = FoundKeys()
    /// The rows that the store changed besides these.
    var sideEffects = SideEffects()
}
