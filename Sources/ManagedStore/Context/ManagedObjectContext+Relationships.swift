import Foundation

/// Following and setting relationships, both ends kept in step.
extension ManagedObjectContext {
    typealias Slot = RelationshipTable.Slot

    /// The relationships of an object's entity.
    func relationships(of object: ManagedObject) -> [ResolvedRelationship] {
        model.graph.relationships[object.entityIndex]
    }

    /// The related objects, in order where there is one; none if they cannot be read, which the context then keeps the
    /// error of.
    func related(to object: ManagedObject, by relationship: ResolvedRelationship) -> [ManagedObject] {
        keepingErrors(otherwise: []) { () throws(StoreError) in try readRelated(to: object, by: relationship) }
    }

    /// The related objects; in order where there is one.
    func readRelated(
        to object: ManagedObject, by relationship: ResolvedRelationship
    ) throws(StoreError) -> [ManagedObject] {
        checkQueue()
        guard relationship.isToMany else {
            if object.isFault { _ = try object.loadFault() }
            return reference(of: object, relationship).flatMap { followed(to: $0) }.map { [$0] } ?? []
        }
        // What was read just now is kept until it is handed over: otherwise it would be read again, one by one.
        let read = try readIfNeeded(object, relationship)
        return withExtendedLifetime(read) {
            knownReferences(of: object, relationship).compactMap { self.object(referredToBy: $0) }
        }
    }

    /// What a to-one relationship of an object that is no fault refers to.
    func reference(of object: ManagedObject, _ relationship: ResolvedRelationship) -> ObjectReference? {
        guard case .toOne(let position) = relationship.kind else { return nil }
        return object.unmanagedPage._withUnsafeGuaranteedRef { $0.layout.fields[position].reference(in: object.row) }
    }

    /// The object that a reference names; one that the context did not have stays for a while.
    private func followed(to reference: ObjectReference) -> ManagedObject? {
        if let known = knownObject(reference) { return known }
        guard let object = object(referredToBy: reference) else { return nil }
        followed.keep(object)
        return object
    }

    /// Sets the related objects, and the inverse at each that comes or goes.
    func setRelated(_ objects: [ManagedObject], of object: ManagedObject, by relationship: ResolvedRelationship) {
        checkQueue()
        if !relationship.isToMany { return setToOne(objects.first, of: object, relationship) }
        let old = references(of: object, relationship)
        let before = Set(old)
        // Those that were there already may be deleted, here or elsewhere, without the caller knowing.
        let objects = objects.filter {
            before.contains(ObjectReference($0)) || canRelate(object, relationship, to: $0)
        }
        let new = objects.map { ObjectReference($0) }
        let after = Set(new)
        for reference in old where !after.contains(reference) {
            // The store may have given this object what the context is about to delete.
            guard let other = self.object(referredToBy: reference), isThere(other) else { continue }
            removeRelated(other, from: object, by: relationship)
        }
        for other in objects where !before.contains(ObjectReference(other)) {
            addRelated(other, to: object, by: relationship)
        }
        if relationship.isOrdered { arrange(new, of: object, relationship) }
    }

    /// Adds to a to-many relationship, at the end of an ordered one.
    func addRelated(_ other: ManagedObject, to object: ManagedObject, by relationship: ResolvedRelationship) {
        checkQueue()
        guard canRelate(object, relationship, to: other), let inverse = inverse(of: relationship, at: other) else {
            return
        }
        switch relationship.kind {
        case .toOne: setToOne(other, of: object, relationship)
        case .toMany: setToOne(object, of: other, inverse)
        case .manyToMany:
            note(other, isRelatedTo: object, relationship)
            if !relationship.isItsOwnInverse || other !== object { note(object, isRelatedTo: other, inverse) }
        }
    }

    /// Removes from a to-many relationship.
    func removeRelated(_ other: ManagedObject, from object: ManagedObject, by relationship: ResolvedRelationship) {
        checkQueue()
        guard let inverse = inverse(of: relationship, at: other) else { return }
        switch relationship.kind {
        case .toOne: setToOne(nil, of: object, relationship)
        case .toMany: setToOne(nil, of: other, inverse)
        case .manyToMany:
            note(other, isNotRelatedTo: object, relationship)
            if !relationship.isItsOwnInverse || other !== object { note(object, isNotRelatedTo: other, inverse) }
        }
    }

    private func arrange(
        _ references: [ObjectReference], of object: ManagedObject, _ relationship: ResolvedRelationship
    ) {
        var seen = Set<ObjectReference>()
        let once = references.filter { seen.insert($0).inserted }
        let slot = Slot(owner: ObjectReference(object), relationship: relationship.position)
        undoManager?.willChange(relationship, of: object)
        let wasChanged = relationshipTable.isChanged(slot)
        relationshipTable.arrange(once, in: slot)
        if !wasChanged, relationshipTable.isChanged(slot) { noteChange(of: object) }
    }

    /// The inverse as a relationship of `other`, whose entity may inherit it.
    func inverse(of relationship: ResolvedRelationship, at other: ManagedObject) -> ResolvedRelationship? {
        relationship.inverse.map { model.graph.relationships[other.entityIndex][$0] }
    }

    /// Whether `object` can be related to `other`: not to one that is deleted, here or in the store, which another
    /// context may have done. Traps for an object of another context, or of an entity that the relationship does not
    /// lead to.
    private func canRelate(
        _ object: ManagedObject, _ relationship: ResolvedRelationship, to other: ManagedObject
    ) -> Bool {
        precondition(
            leads(relationship, to: other.entityIndex),
            "\(object.entity.name).\(relationship.name) leads to \(relationship.description.destinationEntityName), not to a "
                + other.entity.name)
        if other.state.contains(.isGone) { return false }
        other.checkIsInNoBatch()
        precondition(
            other.managedObjectContext === self,
            "\(object.entity.name).\(relationship.name) was given \(other), which is not in the context of \(object); pass its objectID to "
                + "object(with:) there")
        // The inverse is about to be changed, for which the other one is read in any case.
        return relationship.inverse == nil ? !other.isDeleted : isThere(other)
    }

    private func leads(_ relationship: ResolvedRelationship, to entity: Int) -> Bool {
        relationship.destination == entity || model.hierarchy.families[relationship.destination].contains(entity)
    }
}

// MARK: - To one

extension ManagedObjectContext {
    /// Sets a reference, and takes the object out of, and into, the inverse at both ends. One to an object that is
    /// deleted becomes none.
    func setToOne(_ other: ManagedObject?, of object: ManagedObject, _ relationship: ResolvedRelationship) {
        guard case .toOne(let position) = relationship.kind, isThere(object) else { return }
        let old = object.page.layout.fields[position].reference(in: object.row)
        if old == other.map({ ObjectReference($0) }) { return }
        let other = other.flatMap { canRelate(object, relationship, to: $0) ? $0 : nil }
        let new = other.map { ObjectReference($0) }
        if old == new { return }
        setReference(new, at: position, of: object)
        if let old { noteInverse(of: relationship, of: object, leaves: old) }
        if let other { noteInverse(of: relationship, of: object, reaches: other) }
    }

    /// Writes a reference into the object's own row, and nothing else.
    func setReference(_ reference: ObjectReference?, at position: Int, of object: ManagedObject) {
        if !object.state.isReadyForWriting || object.isArenaFull { object.prepareForWriting() }
        object.page.layout.fields[position].setReference(reference, of: object.row)
    }

    private func noteInverse(
        of relationship: ResolvedRelationship, of object: ManagedObject, leaves old: ObjectReference
    ) {
        guard let inverse = relationship.inverse else { return }
        let back = model.graph.relationships[Int(old.entity)][inverse]
        if case .toOne(let position) = back.kind {
            guard let other = self.object(referredToBy: old), isThere(other),
                other.page.layout.fields[position].reference(in: other.row) == ObjectReference(object)
            else { return }
            setReference(nil, at: position, of: other)
        } else {
            if let undoManager, let other = self.object(referredToBy: old) { undoManager.willChange(back, of: other) }
            relationshipTable.remove(ObjectReference(object), from: Slot(owner: old, relationship: inverse))
            if let other = knownObject(old) { noteChange(of: other) }
        }
    }

    /// Lets the other end of a relationship lead back, and takes a partner from the object that had it.
    func noteInverse(
        of relationship: ResolvedRelationship, of object: ManagedObject, reaches other: ManagedObject
    ) {
        guard let back = inverse(of: relationship, at: other) else { return }
        if case .toOne(let position) = back.kind {
            guard isThere(other) else { return }
            // The object that the other was related to before is so no longer.
            let previous = other.page.layout.fields[position].reference(in: other.row)
            if previous == ObjectReference(object) { return }
            setReference(ObjectReference(object), at: position, of: other)
            if let previous, let old = self.object(referredToBy: previous), isThere(old),
                case .toOne(let own) = inverse(of: back, at: old)?.kind
            {
                setReference(nil, at: own, of: old)
            }
        } else {
            undoManager?.willChange(back, of: other)
            relationshipTable.add(
                ObjectReference(object), to: Slot(owner: ObjectReference(other), relationship: back.position))
            noteChange(of: other)
        }
    }

    /// Fires a fault; false if there is no such object, it is to be deleted, or cannot be read.
    func isThere(_ object: ManagedObject) -> Bool {
        if object.isFault { object.fireFault() }
        return object.state.isDisjoint(with: [.isGone, .deleted, .isHollow])
    }
}

// MARK: - To many

extension ManagedObjectContext {
    /// The related objects of a to-many relationship as of now; asks the store if need be. None if they cannot be read,
    /// which the context then keeps the error of.
    func references(of object: ManagedObject, _ relationship: ResolvedRelationship) -> [ObjectReference] {
        keepingErrors(otherwise: []) { () throws(StoreError) in try readReferences(of: object, relationship) }
    }

    /// The related objects of a to-many relationship as of now; asks the store if need be.
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

    /// Reads a to-many relationship that was not read yet; returns the objects that were found.
    private func readIfNeeded(
        _ object: ManagedObject, _ relationship: ResolvedRelationship
    ) throws(StoreError) -> [ManagedObject] {
        let slot = Slot(owner: ObjectReference(object), relationship: relationship.position)
        object.state.insert(.hasRelated)
        forgetOrphans()
        if relationshipTable[slot]?.current != nil { return [] }
        // A new object has nothing in the store.
        guard !object.state.contains(.inserted) else {
            relationshipTable.load([], order: [], into: slot)
            return []
        }
        let moment = rowCache.now()
        var found = try requireStore().relatedRows(to: slot.owner.key, by: relationship)
        found.rows.moment = moment
        let objects = register(found.rows)
        relationshipTable.load(objects.map { ObjectReference($0) }, order: found.order, into: slot)
        return objects
    }

    /// What the to-many relationships of an object lead to that have unsaved changes, by name.
    func changedLists(of object: ManagedObject) -> [String: StoredValue] {
        var changed: [String: StoredValue] = [:]
        if relationshipTable.isEmpty { return changed }
        for relationship in relationships(of: object) where relationship.isToMany {
            let slot = Slot(owner: ObjectReference(object), relationship: relationship.position)
            guard relationshipTable.isChanged(slot) else { continue }
            let ids = references(of: object, relationship).map { object.page.source.id(of: $0) }
            changed[relationship.name] = .objectIDs(ids)
        }
        return changed
    }

    /// Remembers that `other` is among the objects of a many-to-many relationship.
    private func note(_ other: ManagedObject, isRelatedTo object: ManagedObject, _ relationship: ResolvedRelationship) {
        undoManager?.willChange(relationship, of: object)
        relationshipTable.add(
            ObjectReference(other), to: Slot(owner: ObjectReference(object), relationship: relationship.position))
        noteChange(of: object)
    }

    private func note(
        _ other: ManagedObject, isNotRelatedTo object: ManagedObject, _ relationship: ResolvedRelationship
    ) {
        undoManager?.willChange(relationship, of: object)
        relationshipTable.remove(
            ObjectReference(other), from: Slot(owner: ObjectReference(object), relationship: relationship.position))
        noteChange(of: object)
    }

    /// Marks an object as updated whose own row does not change.
    func noteChange(of object: ManagedObject) {
        guard isThere(object) else { return }
        if !object.state.isReadyForWriting || object.isArenaFull { object.prepareForWriting() }
    }

    /// Takes rows in as objects, faults that hold their values already, as a fetch does.
    private func register(_ rows: FetchedRows) -> [ManagedObject] {
        take(rows)
        let runsInitializers =
            StoredProperties.areThere(in: rows.pages.lazy.map(\.entity.managedObjectClass)) != false
        return rows.references().map { row in
            let page = row.page.takeUnretainedValue()
            if let known = registry.object(page.rootIndex, row.row.key), isOfItsEntity(known, page.entityIndex) {
                if known.state.contains(.isHollow) {
                    known.leaveRow()
                    known.adopt(page, row.row)
                    known.state.subtract([.isHollow, .isWritable])
                }
                return known
            }
            let object = page.entity.managedObjectClass.init(_page: page, row: row.row, state: [.registered, .isFault])
            if runsInitializers {
                StoredProperties.note(object)
                return register(object)
            }
            registry.insert(object, page.rootIndex)
            return object
        }
    }

    /// The object that a reference names: the registered one, or a fault; nil for a new one that is gone.
    func object(referredToBy reference: ObjectReference) -> ManagedObject? {
        if reference.key < 0 { return pending.insertedObject(reference.key) }
        if let known = registered(reference) { return known.entityIndex == Int(reference.entity) ? known : nil }
        guard let sources = try? requireStore().sources else { return nil }
        return newFault(sources[Int(reference.entity)], reference.key)
    }

    /// The registered object that a reference names. One of another entity is not it: that a row is of the entity that
    /// a reference says is up to the file.
    func knownObject(_ reference: ObjectReference) -> ManagedObject? {
        if reference.key < 0 { return pending.insertedObject(reference.key) }
        guard let known = registered(reference), known.entityIndex == Int(reference.entity) else { return nil }
        return known
    }

    private func registered(_ reference: ObjectReference) -> ManagedObject? {
        registry.object(model.hierarchy.roots[Int(reference.entity)], reference.key)
    }

    /// Whether a reference names the key of a registered object of another entity.
    func isOfAnotherEntity(_ reference: ObjectReference) -> Bool {
        registered(reference).map { $0.entityIndex != Int(reference.entity) } ?? false
    }

    /// Whether an object is of the entity that its row has been found to be of; one that is not is forgotten.
    private func isOfItsEntity(_ known: ManagedObject, _ entity: Int) -> Bool {
        if known.entityIndex == entity { return true }
        forget(known)
        return false
    }

    /// Lets go of what was read for objects that are no more.
    private func forgetOrphans() {
        for orphan in registry.takeOrphans() {
            for relationship in model.graph.relationships[Int(orphan.entity)] where relationship.isToMany {
                relationshipTable.forgetStored(Slot(owner: orphan, relationship: relationship.position))
            }
        }
    }
}
