import Foundation

/// What a backing store must do for the coordinator. Every method may be called from any thread.
///
/// Nothing here assumes a local file: rows go in and come out as pages, conditions and orders as resolved values.
protocol PersistentStore: AnyObject, Sendable {
    /// Names the store in its objects' URIs; the same for as long as the store lives.
    var identifier: UUID { get }
    /// Where the store lies; nil for one without a place.
    var url: URL? { get }
    /// What the IDs of each entity have in common, in the order of the model's entities.
    var sources: [ObjectIDSource] { get }
    /// The application's own entries, as last saved.
    var metadata: [String: StoredValue] { get }
    /// The attributes that the store computes by itself, and that are not written otherwise: their positions, by the
    /// position of the entity.
    var derivedAttributes: [Int: [Int]] { get }
    /// The transformable attributes whose values others may have written in another form than JSON, likewise.
    var archivedAttributes: [Int: [Int]] { get }
    /// Exact counts since the store was opened or its statistics were reset.
    var statistics: StoreStatistics { get }

    /// The rows that `plan` asks for, decoded; `control` is told how many were found, and can stop it.
    func rows(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows
    /// The keys of the rows that `plan` asks for.
    func keys(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FoundKeys
    /// The rows of the result that `plan` describes.
    func dictionaries(_ plan: DictionaryPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows
    /// How many rows `plan` asks for.
    func count(_ plan: FetchPlan) throws(StoreError) -> Int
    /// Those rows of the entity at a position, not of its subentities, with one of `keys` that there are, in no
    /// particular order.
    func rows(withKeys keys: [Int64], of entity: Int) throws(StoreError) -> FetchedRows
    /// Sets `count` keys of an entity aside and returns the first.
    func reserveKeys(_ count: Int, of entity: Int) throws(StoreError) -> Int64
    /// The rows that a relationship of the object with the key `owner` leads to, in its order if it has one.
    func relatedRows(to owner: Int64, by relationship: ResolvedRelationship) throws(StoreError) -> RelatedRows
    /// Saves all of `changes` or nothing. Returns the keys given to new rows.
    func commit(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys
    /// Carries out a batch update.
    func update(_ plan: BatchUpdatePlan) throws(StoreError) -> BatchOutcome
    /// Deletes the rows that `plan` asks for.
    func delete(_ plan: FetchPlan, wantsKeys: Bool) throws(StoreError) -> BatchOutcome
    /// Writes what is held back for later to its final place.
    func checkpoint() throws(StoreError)
    /// Sets the statistics to zero.
    func resetStatistics()
    /// Lets go of files and connections.
    func close() throws(StoreError)
}

extension PersistentStore {
    var derivedAttributes: [Int: [Int]] { [:] }
    var archivedAttributes: [Int: [Int]] { [:] }
}

/// Which rows of an entity to fetch, in what order.
struct FetchPlan: Sendable {
    let source: ObjectIDSource
    /// Whether rows of entities that inherit from the source's count too.
    var includesSubentities = true
    var predicate: ResolvedPredicate?
    var sort: [ResolvedSort] = []
    /// 0 means no limit.
    var limit = 0
    var offset = 0

    /// The positions of the entities whose rows count, in ascending order.
    var entities: [Int] {
        includesSubentities ? source.model.hierarchy.families[source.entityIndex] : [source.entityIndex]
    }

    /// Whether rows of the entity at a position count.
    func includes(_ entity: Int) -> Bool {
        entity == source.entityIndex || includesSubentities && entities.contains(entity)
    }
}

/// What a save writes, by the position of the entity in the model.
struct ChangeSet {
    /// The rows of one entity; the holder of the change set keeps their pages alive.
    struct EntityChanges {
        /// New rows, with temporary keys or reserved ones.
        var inserts: ContiguousArray<RowReference> = []
        /// Changed rows, in writable pages that know their origins.
        var updates: ContiguousArray<RowReference> = []
        /// Rows to delete, as this context knows them.
        var deletes: ContiguousArray<RowReference> = []

        var isEmpty: Bool { inserts.isEmpty && updates.isEmpty && deletes.isEmpty }
    }

    var entities: [EntityChanges]
    /// Pairs of many-to-many relationships that come or go.
    var links: [LinkChange] = []
    /// What stands where in ordered relationships.
    var orders: [OrderChange] = []
    /// The temporary key of the first new object; those of the others go down from it.
    var temporaryKeyBase: Int64 = -1
    /// Whether rows may refer to each other.
    var hasRelationships = false
    /// The application's entries, if they changed.
    var metadata: [String: StoredValue]?

    var isEmpty: Bool {
        metadata == nil && links.isEmpty && orders.isEmpty
            && entities.allSatisfy(\.isEmpty)
    }
}

/// A pair of a many-to-many relationship that comes or goes; keys may be temporary.
struct LinkChange: Sendable {
    /// The relationship's number in the model.
    let join: Int
    /// The key at the end that the join table is named after.
    let first: Int64
    let second: Int64
    let isAdded: Bool
}

/// The number that stands for an object's place in an ordered relationship; keys may be temporary.
struct OrderChange: Sendable {
    let relationship: ResolvedRelationship
    let owner: Int64
    let member: Int64
    let number: Int64
}

/// The rows that a relationship leads to.
struct RelatedRows {
    var rows = FetchedRows()
    /// For an ordered relationship, the numbers by which the rows are ordered.
    var order: [Int64] = []
}

/// What a batch update or delete did.
struct BatchOutcome: Sendable {
    var count: Int
    /// The updated or deleted keys in ascending order, if they were asked for.
    var keys = FoundKeys()
    /// What the store changed beside these.
    var sideEffects = SideEffects()
}
