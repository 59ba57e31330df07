/// Reads the objects that relationships of fetched objects lead to: a statement or a few for each relationship.
struct Prefetcher {
    private let context: ManagedObjectContext
    private let store: any PersistentStore
    /// Whether known objects and relationships without unsaved changes take what the store has.
    private let refreshes: Bool
    /// All objects that were found, by relationship.
    private var found: [[ManagedObject]] = []

    /// - Throws: `StoreError` with `noStore`.
    init(_ context: ManagedObjectContext, refreshes: Bool = false) throws(StoreError) {
        self.context = context
        self.refreshes = refreshes
        store = try context.requireStore()
    }

    /// Reads what `branches` lead to, and returns all objects found. The caller holds them as long as the context
    /// should find them.
    ///
    /// `areAll` says that `objects` are all of their entity, so that most related rows are wanted.
    mutating func read(
        _ branches: [PrefetchBranch], of objects: [ManagedObject], areAll: Bool = false
    ) throws(StoreError) -> [[ManagedObject]] {
        try follow(branches, from: objects, areAll)
        return found
    }

    private mutating func follow(
        _ branches: [PrefetchBranch], from objects: [ManagedObject], _ areAll: Bool
    ) throws(StoreError) {
        if objects.isEmpty { return }
        for branch in branches {
            let relationship = branch.relationship
            let related =
                relationship.isToMany
                ? try readLists(relationship, of: objects, areAll) : try readSingle(relationship, of: objects)
            found.append(related)
            try follow(branch.branches, from: related, false)
        }
    }

    // MARK: To one

    private func readSingle(
        _ relationship: ResolvedRelationship, of objects: [ManagedObject]
    ) throws(StoreError) -> [ManagedObject] {
        guard case .toOne(let position) = relationship.kind else { return [] }
        // The rows of subentities begin like those of the entity that the relationship was found in.
        let field = context.model.entities[relationship.entity].layout.fields[position]
        return try self.objects(references(of: objects, field, to: relationship.destination))
    }

    private func references(of objects: [ManagedObject], _ field: RowField, to destination: Int) -> ReferencedKeys {
        var references = ReferencedKeys(entityCount: context.model.entities.count)
        let keys = [Int64](filling: objects.count) { keys, count in
            // Kept in a variable, since the array's count lies in memory.
            var found = 0
            objects.forEachUncounted { object in
                guard object.state.isDisjoint(with: [.isGone, .deleted, .isHollow]),
                    let reference = field.reference(in: object.row)
                else { return }
                if Int(reference.entity) == destination {
                    keys.initializeElement(at: found, to: reference.key)
                    found += 1
                } else {
                    references.insert(reference)
                }
            }
            count = found
        }
        references.insert(keys, of: destination)
        return references
    }

    /// Returns the objects of references, and reads those that the context does not know.
    private func objects(_ references: ReferencedKeys) throws(StoreError) -> [ManagedObject] {
        var all: [ManagedObject] = []
        for (entity, keys) in references.byEntity() {
            var (known, missing) = known(keys, of: entity)
            known.removeAll { object in
                if !isOutdated(object, entity) { return false }
                missing.append(object.row.key)
                return true
            }
            all += known
            if !missing.isEmpty { all += try read(missing, of: entity) }
        }
        return all
    }

    private func known(_ keys: [Int64], of entity: Int) -> (objects: [ManagedObject], missing: [Int64]) {
        let saved = keys.firstIndex { $0 > 0 } ?? keys.endIndex
        var objects = keys[..<saved].compactMap { context.pending.insertedObject($0) }
        var missing: [Int64] = []
        context.registry.withTable(context.model.hierarchy.roots[entity]) { table in
            for key in keys[saved...] {
                if let object = table.object(key) { objects.append(object) } else { missing.append(key) }
            }
        }
        return (objects, missing)
    }

    private func isOutdated(_ object: ManagedObject, _ entity: Int) -> Bool {
        if object.state.contains(.inserted) { return false }
        return object.entityIndex != entity || object.state.contains(.isHollow) || refreshes && !object.hasChanges
    }

    private func read(_ keys: [Int64], of entity: Int) throws(StoreError) -> [ManagedObject] {
        let rows = try context.read { store throws(StoreError) in try store.rows(withKeys: keys, of: entity) }
        return objects(FetchPlan(source: store.sources[entity], includesSubentities: false), rows)
    }

    private func objects(_ plan: FetchPlan, _ rows: FetchedRows) -> [ManagedObject] {
        context.objects(of: rows, plan, refreshes: refreshes)
    }

    // MARK: To many

    private func readLists(
        _ relationship: ResolvedRelationship, of objects: [ManagedObject], _ areAll: Bool
    ) throws(StoreError) -> [ManagedObject] {
        context.forgetOrphans()
        var (owners, known) = ([ManagedObject](), [ManagedObject]())
        for object in objects where object.state.isDisjoint(with: [.isGone, .deleted]) {
            if isToRead(object, relationship) { owners.append(object) } else { known.append(object) }
        }
        var members = owners.isEmpty ? [] : try read(relationship, of: owners, areAll && known.isEmpty)
        // What was known before stays as it is, with its unsaved changes: its objects are read by their keys.
        known += owners.filter { context.relationshipTable.isChanged(slot(relationship, $0)) }
        var references = ReferencedKeys(entityCount: context.model.entities.count)
        for object in known {
            for member in try context.readReferences(of: object, relationship) { references.insert(member) }
        }
        members += try self.objects(references)
        return members
    }

    private func slot(_ relationship: ResolvedRelationship, _ owner: ManagedObject) -> RelationshipTable.Slot {
        RelationshipTable.Slot(owner: ObjectReference(owner), relationship: relationship.position)
    }

    private func isToRead(_ owner: ManagedObject, _ relationship: ResolvedRelationship) -> Bool {
        if owner.state.contains(.inserted) { return false }
        let slot = slot(relationship, owner)
        return !context.relationshipTable.isKnown(slot) || refreshes && !context.relationshipTable.isChanged(slot)
    }

    /// Reads the lists of `owners` from the store. Returns their members.
    func read(
        _ relationship: ResolvedRelationship, of owners: [ManagedObject], _ areAll: Bool = false
    ) throws(StoreError) -> [ManagedObject] {
        let keys = owners.keys
        let moment = context.rowCache.now()
        var lists = try store.relatedLists(to: RelatedOwners(keys, areAll: areAll), by: relationship)
        lists.rows.moment = moment
        let groups = try lists.arrange(by: keys)
        let members = objects(FetchPlan(source: store.sources[relationship.destination]), lists.rows)
        let references = members.references
        for (place, owner) in owners.enumerated() where !owner.state.contains(.isGone) {
            owner.state.insert(.hasRelated)
            let links = groups[place]
            context.relationshipTable.load(
                groups.rows[links].map { references[Int($0)] },
                order: relationship.isOrdered ? Array(groups.numbers[links]) : [], into: slot(relationship, owner))
        }
        return members
    }
}

/// The keys of references, by entity.
struct ReferencedKeys {
    private var keys: [[Int64]]
    private var last: ObjectReference?

    init(entityCount: Int) {
        keys = [[Int64]](repeating: [], count: entityCount)
    }

    mutating func insert(_ reference: ObjectReference) {
        // Neighbours often lead to the same object.
        if reference == last { return }
        last = reference
        keys[Int(reference.entity)].append(reference.key)
    }

    mutating func insert(_ more: [Int64], of entity: Int) {
        if keys[entity].isEmpty { keys[entity] = more } else { keys[entity] += more }
    }

    /// Returns the distinct keys of each entity in ascending order.
    func byEntity() -> [(entity: Int, keys: [Int64])] {
        keys.enumerated().filter { !$1.isEmpty }.map { ($0, DistinctKeys.sorted($1)) }
    }
}
