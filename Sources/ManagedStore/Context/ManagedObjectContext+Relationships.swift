import Foundation

/// Following and setting relationships, with both ends kept consistent.
extension ManagedObjectContext {
    typealias Slot = RelationshipTable.Slot

    /// Returns the relationships of an object's entity.
    func relationships(of object: ManagedObject) -> [ResolvedRelationship] {
        model.graph.relationships[object.entityIndex]
    }

    /// Returns the object that a to-one relationship leads to. Returns nil if it cannot be read; the context then keeps
    /// the error.
    func relatedObject(to object: ManagedObject, by relationship: ResolvedRelationship) -> ManagedObject? {
        keepingErrors(otherwise: nil) { () throws(StoreError) in
            try readRelatedObject(to: object, by: relationship)
        }
    }

    /// Returns the object that a to-one relationship leads to.
    private func readRelatedObject(
        to object: ManagedObject, by relationship: ResolvedRelationship
    ) throws(StoreError) -> ManagedObject? {
        checkQueue()
        if object.isFault { _ = try object.loadFault() }
        guard let reference = reference(of: object, relationship) else { return nil }
        return followed(to: reference)
    }

    /// Returns the related objects, in order for an ordered relationship. Returns none if they cannot be read; the
    /// context then keeps the error.
    func related(to object: ManagedObject, by relationship: ResolvedRelationship) -> [ManagedObject] {
        keepingErrors(otherwise: []) { () throws(StoreError) in try readRelated(to: object, by: relationship) }
    }

    /// Returns the related objects, in order for an ordered relationship.
    func readRelated(
        to object: ManagedObject, by relationship: ResolvedRelationship
    ) throws(StoreError) -> [ManagedObject] {
        guard relationship.isToMany else {
            return try readRelatedObject(to: object, by: relationship).map { [$0] } ?? []
        }
        checkQueue()
        // Kept alive until this returns: the context would otherwise read the objects again, one by one.
        let read = try readIfNeeded(object, relationship)
        let slot = Slot(owner: ObjectReference(object), relationship: relationship.position)
        if let read, !relationshipTable.isChanged(slot) { return read }
        return withExtendedLifetime(read) { objects(referredToBy: knownReferences(of: object, relationship)) }
    }

    /// Returns the objects of a relationship's references, without those that have left the context.
    private func objects(referredToBy references: [ObjectReference]) -> [ManagedObject] {
        guard let first = references.first else { return [] }
        // All are of one hierarchy. Mostly all are registered, and are found under one lock.
        let known = registry.withTable(model.hierarchy.roots[Int(first.entity)]) { table in
            [ManagedObject](filling: references.count) { known, count in
                for (place, reference) in references.enumerated() {
                    table.prefetch(from: place, to: references.count) { references[$0].key }
                    guard let object = table.object(reference.key) else { break }
                    known.initializeElement(at: count, to: object)
                    count += 1
                }
            }
        }
        var (areAllKnown, next) = (known.count == references.count, 0)
        known.forEachUncounted { object in
            if object.entityIndex != Int(references[next].entity) { areAllKnown = false }
            next += 1
        }
        if areAllKnown { return known }
        return withExtendedLifetime(known) { references.compactMap { object(referredToBy: $0) } }
    }

    /// Returns the reference of a to-one relationship. The object must not be a fault.
    func reference(of object: ManagedObject, _ relationship: ResolvedRelationship) -> ObjectReference? {
        guard case .toOne(let position) = relationship.kind else { return nil }
        return object.reference(at: position)
    }

    /// Returns the object of a reference, and keeps a newly made one for a while.
    private func followed(to reference: ObjectReference) -> ManagedObject? {
        if let known = knownObject(reference) { return known }
        guard let object = object(referredToBy: reference) else { return nil }
        followed.keep(object) { registry.count }
        return object
    }

    /// The inverse as a relationship of `other`, whose entity may inherit it.
    func inverse(of relationship: ResolvedRelationship, at other: ManagedObject) -> ResolvedRelationship? {
        relationship.inverse.map { model.graph.relationships[other.entityIndex][$0] }
    }

    /// Fires a fault; false if there is no such object, it is to be deleted, or cannot be read.
    func isThere(_ object: ManagedObject) -> Bool {
        if object.isFault { object.fireFault() }
        return object.state.isDisjoint(with: [.isGone, .deleted, .isHollow])
    }
}

// MARK: - To many

extension ManagedObjectContext {
    /// Returns the current references of a to-many relationship; asks the store if necessary. Returns none if they
    /// cannot be read; the context then keeps the error.
    func references(of object: ManagedObject, _ relationship: ResolvedRelationship) -> [ObjectReference] {
        keepingErrors(otherwise: []) { () throws(StoreError) in try readReferences(of: object, relationship) }
    }

    /// Returns the current references of a to-many relationship; asks the store if necessary.
    func readReferences(
        of object: ManagedObject, _ relationship: ResolvedRelationship
    ) throws(StoreError) -> [ObjectReference] {
        _ = try readIfNeeded(object, relationship)
        return knownReferences(of: object, relationship)
    }

    private func knownReferences(
        of object: ManagedObject, _ relationship: ResolvedRelationship
    ) -> [ObjectReference] {
        relationshipTable[Slot(owner: ObjectReference(object), relationship: relationship.position)]?.current ?? []
    }

    /// Reads a to-many relationship if it was not read before; returns the objects found, nil if it was.
    private func readIfNeeded(
        _ object: ManagedObject, _ relationship: ResolvedRelationship
    ) throws(StoreError) -> [ManagedObject]? {
        let slot = Slot(owner: ObjectReference(object), relationship: relationship.position)
        object.state.insert(.hasRelated)
        forgetOrphans()
        if relationshipTable[slot]?.current != nil { return nil }
        // A new object has no related rows in the store.
        guard !object.state.contains(.inserted) else {
            relationshipTable.load([], order: [], into: slot)
            return []
        }
        return try readStored(object, relationship)
    }

    /// Reads what a to-many relationship of a saved object leads to in the store.
    private func readStored(
        _ object: ManagedObject, _ relationship: ResolvedRelationship
    ) throws(StoreError) -> [ManagedObject] {
        let slot = Slot(owner: ObjectReference(object), relationship: relationship.position)
        let moment = rowCache.now()
        var found = try requireStore().relatedRows(to: slot.owner.key, by: relationship)
        found.rows.moment = moment
        let destination = try requireStore().sources[relationship.destination]
        let objects = objects(of: found.rows, FetchPlan(source: destination))
        relationshipTable.load(objects.map { ObjectReference($0) }, order: found.order, into: slot)
        return objects
    }

    /// Returns the store's references of a to-many relationship, as far as this context knows them; asks the store if
    /// necessary. A new object has none.
    func readStoredReferences(
        of object: ManagedObject, _ relationship: ResolvedRelationship
    ) throws(StoreError) -> [ObjectReference] {
        if object.state.contains(.inserted) { return [] }
        let slot = Slot(owner: ObjectReference(object), relationship: relationship.position)
        if let stored = relationshipTable[slot]?.stored { return stored }
        object.state.insert(.hasRelated)
        forgetOrphans()
        let read = try readStored(object, relationship)
        return withExtendedLifetime(read) { relationshipTable[slot]?.stored ?? [] }
    }

    /// Returns the members of the to-many relationships in which an object has others than the store, or another order,
    /// by name.
    func changedLists(of object: ManagedObject) -> [String: StoredValue] {
        var changed: [String: StoredValue] = [:]
        if relationshipTable.isEmpty { return changed }
        for relationship in relationships(of: object) where relationship.isToMany {
            let slot = Slot(owner: ObjectReference(object), relationship: relationship.position)
            guard relationshipTable.isChanged(slot) else { continue }
            // Objects may have left and come back.
            let stored = keepingErrors(otherwise: []) { () throws(StoreError) in
                try readStoredReferences(of: object, relationship)
            }
            let current = references(of: object, relationship)
            if relationship.isOrdered ? current == stored : Set(current) == Set(stored) { continue }
            changed[relationship.name] = .objectIDs(object.page.source.ids(of: current))
        }
        return changed
    }

    /// Takes rows in that relationships lead to, as faults that hold their values already. `refreshes` says whether
    /// known objects without unsaved changes take the values of the rows.
    func objects(of rows: FetchedRows, _ plan: FetchPlan, refreshes: Bool = false) -> [ManagedObject] {
        var collector = ObjectCollector(self, ResolvedFetch(prefetching: plan, refreshes: refreshes), rows)
        collector.collectAll()
        return collector.objects
    }

    /// Returns the object of a reference: the registered one or a fault; nil for a new object that has left the
    /// context.
    func object(referredToBy reference: ObjectReference) -> ManagedObject? {
        if reference.key < 0 { return pending.insertedObject(reference.key) }
        if let known = registered(reference) { return known.entityIndex == Int(reference.entity) ? known : nil }
        guard let sources = try? requireStore().sources else { return nil }
        return newFault(sources[Int(reference.entity)], reference.key)
    }

    /// Returns the registered object of a reference if it is of the entity that the reference names. The file may hold
    /// references that name the wrong entity.
    func knownObject(_ reference: ObjectReference) -> ManagedObject? {
        if reference.key < 0 { return pending.insertedObject(reference.key) }
        guard let known = registered(reference), known.entityIndex == Int(reference.entity) else { return nil }
        return known
    }

    private func registered(_ reference: ObjectReference) -> ManagedObject? {
        registry.object(model.hierarchy.roots[Int(reference.entity)], reference.key)
    }

    /// Whether the key of a reference belongs to a registered object of another entity.
    func isOfAnotherEntity(_ reference: ObjectReference) -> Bool {
        registered(reference).map { $0.entityIndex != Int(reference.entity) } ?? false
    }

    /// Forgets the to-many members read for objects that no longer exist.
    func forgetOrphans() {
        for orphan in registry.takeOrphans() {
            for relationship in model.graph.relationships[Int(orphan.entity)] where relationship.isToMany {
                relationshipTable.forgetStored(Slot(owner: orphan, relationship: relationship.position))
            }
        }
    }
}
