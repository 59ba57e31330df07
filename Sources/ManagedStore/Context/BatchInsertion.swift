/// Writes the rows of a batch insert, and settles conflicts over values that must be unique by the context's merge
/// policy, as though each object were inserted after the one before it.
///
/// The store looks for shared values only when a constraint fails. Each attempt then reads the stored objects that the
/// batch changes anew, so that no other writer's change is lost.
struct BatchInsertion {
    let policy: MergePolicy.MergeType
    let store: any PersistentStore
    private var rows: BatchInsertRows
    /// The places of the rows that are not inserted: they are left out, or change another object.
    private var dropped: Set<Int> = []
    /// The stored object that a row changes, by the row's place.
    private var targets: [Int: ManagedObjectID] = [:]
    /// Keeps the changed rows alive.
    private var pages: [RowPage] = []

    /// How often other writers may get in the way before the request fails.
    private static let mostDisturbances = 10

    init(_ rows: BatchInsertRows, by policy: MergePolicy.MergeType, in store: any PersistentStore) {
        (self.rows, self.policy, self.store) = (rows, policy, store)
    }

    /// Returns what the store answered, and the IDs of the inserted and changed objects, each once.
    mutating func run() throws(StoreError) -> (keys: PermanentKeys, ids: [ManagedObjectID]) {
        var disturbances = 0
        while true {
            let changes = try changes()
            do throws(StoreError) {
                let keys = try store.commit(changes)
                return (keys, ids(keys))
            } catch {
                guard error.code == .mergeConflict || !error.constraintConflicts.isEmpty else { throw error }
                let before = dropped.count
                for conflict in error.constraintConflicts { try settle(conflict) }
                if dropped.count == before { disturbances += 1 }
                guard disturbances <= Self.mostDisturbances else { throw error }
            }
        }
    }

    /// The stored objects that the batch changes.
    var changedIDs: ObjectIDSet { ObjectIDSet(Set(targets.values)) }

    private func ids(_ keys: PermanentKeys) -> [ManagedObjectID] {
        var next = keys.firstKeys[rows.source.entityIndex]
        var named = Set<ManagedObjectID>()
        return rows.rows.indices.compactMap { place in
            guard dropped.contains(place) else {
                defer { next += 1 }
                return ManagedObjectID(source: rows.source, key: next)
            }
            return targets[place].flatMap { named.insert($0).inserted ? $0 : nil }
        }
    }

    private mutating func changes() throws(StoreError) -> ChangeSet {
        var changes = ChangeSet(entities: .init(repeating: .init(), count: store.sources.count))
        pages = []
        let places = Dictionary(grouping: targets.keys.sorted()) { targets[$0] }
        for (entity, ids) in targets.values.groups(by: \.source.entityIndex) {
            let found = try store.rows(withKeys: ObjectIDSet.sortedUnique(ids.map(\.key)), of: entity)
                .snapshotsByKey()
            for id in Set(ids) {
                let places = places[id] ?? []
                if let stored = found[id.key] {
                    changes.entities[entity].updates.append(try change(stored, places))
                } else {
                    // Another writer deleted it, and so the values are free.
                    dropped.subtract(places)
                    for place in places { targets[place] = nil }
                }
            }
        }
        let inserts = dropped.isEmpty ? rows.rows : ContiguousArray(kept.map { rows.rows[$0] })
        changes.entities[rows.source.entityIndex].inserts = inserts
        return changes
    }

    private var kept: [Int] { rows.rows.indices.filter { !dropped.contains($0) } }

    /// Returns the row of a stored object with the values of the rows at `places`.
    private mutating func change(_ stored: RowSnapshot, _ places: [Int]) throws(StoreError) -> RowReference {
        let origin = stored.reference
        if pages.last.map({ $0.isFull || $0.entityIndex != stored.page.entityIndex }) ?? true {
            pages.append(RowPage(writable: stored.page.source, capacity: min(targets.count, RowPage.rows)))
        }
        let page = pages[pages.count - 1]
        let row = page.appendHeir(of: origin)
        page.setOrigin(origin, of: row)
        for place in places { rows.copy(place, to: RowReference(row), policy, store.derivedAttributes) }
        for position in store.archivedAttributes[page.entityIndex] ?? []
        where RowReference(row).replacesArchive(at: position, of: origin) {
            let id = ManagedObjectID(source: page.source, key: row.key)
            throw page.entity.wouldReplaceArchive(at: position, of: origin, id)
        }
        return RowReference(row)
    }
}

// MARK: - Settling

extension BatchInsertion {
    private mutating func settle(_ conflict: ConstraintConflict) throws(StoreError) {
        let changed = conflict.conflictingObjectIDs.filter { $0.key > 0 }
        let places = conflict.conflictingObjectIDs.filter { $0.key < 0 }.map { BatchInsertRows.place(of: $0.key) }
        // Settling an earlier conflict may have dropped some of the rows.
        let open = places.filter { !dropped.contains($0) }
        switch policy {
        case .error: throw error(conflict, places)
        case .mergeByPropertyStoreTrump, .rollback:
            dropped.formUnion(conflict.databaseObjectID == nil ? Array(open.dropFirst()) : open)
        case .mergeByPropertyObjectTrump, .overwrite:
            let stored = [conflict.databaseObjectID].compactMap { $0 } + changed
            guard stored.count < 2 else { throw error(conflict, stored) }
            merge(open, into: stored.first)
        }
    }

    /// Has the rows at `places` change a stored object or, without one, the first of them.
    private mutating func merge(_ places: [Int], into stored: ManagedObjectID?) {
        guard let first = places.first else { return }
        for place in stored == nil ? places.dropFirst() : places[...] {
            if stored == nil { rows.merge(place, into: first, policy, store.derivedAttributes) }
            targets[place] = stored
            dropped.insert(place)
        }
    }

    private func error(_ conflict: ConstraintConflict, _ places: [Int]) -> StoreError {
        let numbers = places.map(String.init).joined(separator: ", ")
        let named = "object\(places.count > 1 ? "s" : "") \(numbers) of the batch"
        let stored = conflict.databaseObjectID.map { " and \($0)" } ?? ""
        return error(
            conflict,
            "\(named)\(stored) have \(conflict.values), which must be unique; change the values, or have the context's "
                + "mergePolicy leave out or update what is there already")
    }

    private func error(_ conflict: ConstraintConflict, _ stored: [ManagedObjectID]) -> StoreError {
        let places = targets.filter { stored.contains($0.value) }.keys.sorted().map(String.init)
        return error(
            conflict,
            "the batch gives \(conflict.values), which must be unique, to \(stored), since several stored objects have "
                + "values of its objects \(places.joined(separator: ", ")); change the values, or delete one of the "
                + "stored objects first")
    }

    /// Returns the error without the rows of the batch, which have no IDs.
    private func error(_ conflict: ConstraintConflict, _ message: String) -> StoreError {
        let named = ConstraintConflict(
            constraint: conflict.constraint, constraintValues: conflict.constraintValues,
            databaseObjectID: conflict.databaseObjectID,
            conflictingObjectIDs: conflict.conflictingObjectIDs.filter { !$0.isTemporaryID })
        return StoreError(.constraintConflict, "nothing was inserted: \(message)", constraintConflicts: [named])
    }
}
