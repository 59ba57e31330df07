/// Setting relationships, and keeping both ends in step.
extension ManagedObjectContext {
    /// Sets the object of a to-one relationship, and the inverse at the one that comes or goes.
    func setRelatedObject(_ other: ManagedObject?, of object: ManagedObject, by relationship: ResolvedRelationship) {
        checkQueue()
        setToOne(other, of: object, relationship)
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
        case .manyToMany: setLink(true, from: object, by: relationship, to: other, by: inverse)
        }
    }

    /// Removes from a to-many relationship.
    func removeRelated(_ other: ManagedObject, from object: ManagedObject, by relationship: ResolvedRelationship) {
        checkQueue()
        guard let inverse = inverse(of: relationship, at: other) else { return }
        switch relationship.kind {
        case .toOne: setToOne(nil, of: object, relationship)
        case .toMany: setToOne(nil, of: other, inverse)
        case .manyToMany: setLink(false, from: object, by: relationship, to: other, by: inverse)
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
            isHome(of: other),
            "\(object.entity.name).\(relationship.name) was given \(other), which is not in the context of \(object); pass its objectID to "
                + "object(with:) there")
        // The inverse is about to be changed, for which the other one is read in any case.
        return relationship.inverse == nil ? !other.isDeleted : isThere(other)
    }

    /// Whether an object that has not left its context belongs to this one.
    func isHome(of object: ManagedObject) -> Bool {
        object.unmanagedPage._withUnsafeGuaranteedRef {
            $0.unmanagedRegistry?.toOpaque() == Unmanaged.passUnretained(registry).toOpaque()
        }
    }

    private func leads(_ relationship: ResolvedRelationship, to entity: Int) -> Bool {
        relationship.destination == entity || model.hierarchy.families[relationship.destination].contains(entity)
    }

    /// Remembers at both ends that a link of a many-to-many relationship comes or goes.
    private func setLink(
        _ isLinked: Bool, from object: ManagedObject, by relationship: ResolvedRelationship, to other: ManagedObject,
        by inverse: ResolvedRelationship
    ) {
        let isOneEnd = relationship.isItsOwnInverse && other === object
        undoManager?.willChange(relationship, of: object)
        if !isOneEnd { undoManager?.willChange(inverse, of: other) }
        let here = LinkEnd(object, relationship, other)
        let there = LinkEnd(other, inverse, object)
        let isNew = object.isInserted || other.isInserted
        // Whether a change cancels another one out is known only if the store's members are.
        if !isNew, here.isPending(in: self), here.isStored(in: self) == nil, there.isStored(in: self) == nil {
            _ = references(of: object, relationship)
        }
        let (isStoredHere, isStoredThere) = isNew ? (false, false) : (here.isStored(in: self), there.isStored(in: self))
        here.set(isLinked, isStored: isStoredThere, in: self)
        noteChange(of: object)
        if isOneEnd { return }
        there.set(isLinked, isStored: isStoredHere, in: self)
        noteChange(of: other)
    }

    /// One end of a link of a many-to-many relationship.
    private struct LinkEnd {
        let slot: Slot
        let member: ObjectReference

        init(_ owner: ManagedObject, _ relationship: ResolvedRelationship, _ member: ManagedObject) {
            slot = Slot(owner: ObjectReference(owner), relationship: relationship.position)
            self.member = ObjectReference(member)
        }

        /// Whether the store has the link, as far as this end knows; nil if it was not read.
        func isStored(in context: ManagedObjectContext) -> Bool? { context.relationshipTable[slot]?.stored(member) }

        func isPending(in context: ManagedObjectContext) -> Bool {
            context.relationshipTable[slot]?.isPending(member) == true
        }

        func set(_ isLinked: Bool, isStored: Bool?, in context: ManagedObjectContext) {
            if isLinked {
                context.relationshipTable.add(member, to: slot, isStored: isStored)
            } else {
                context.relationshipTable.remove(member, from: slot, isStored: isStored)
            }
        }
    }

    /// Marks an object as updated whose own row does not change.
    func noteChange(of object: ManagedObject) {
        guard isThere(object) else { return }
        object.prepareForWritingIfNeeded()
    }
}

// MARK: - To one

extension ManagedObjectContext {
    /// Sets a reference, and takes the object out of, and into, the inverse at both ends. One to an object that is
    /// deleted becomes none.
    func setToOne(_ other: ManagedObject?, of object: ManagedObject, _ relationship: ResolvedRelationship) {
        guard case .toOne(let position) = relationship.kind, isThere(object) else { return }
        let old = object.reference(at: position)
        if old == other.map({ ObjectReference($0) }) { return }
        let other = other.flatMap { canRelate(object, relationship, to: $0) ? $0 : nil }
        let new = other.map { ObjectReference($0) }
        if old == new { return }
        let saved = object.committedReference(at: position)
        setReference(new, at: position, of: object)
        if let old { noteInverse(of: relationship, of: object, leaves: old, isStored: old == saved) }
        if let other { noteInverse(of: relationship, of: object, reaches: other, isStored: new == saved) }
    }

    /// Writes a reference into the object's own row, and nothing else.
    func setReference(_ reference: ObjectReference?, at position: Int, of object: ManagedObject) {
        object.prepareForWritingIfNeeded()
        object.setReference(reference, at: position)
    }

    /// Takes an object out of the other end of a relationship. `isStored` says whether the store has it there.
    private func noteInverse(
        of relationship: ResolvedRelationship, of object: ManagedObject, leaves old: ObjectReference, isStored: Bool
    ) {
        guard let inverse = relationship.inverse else { return }
        let back = model.graph.relationships[Int(old.entity)][inverse]
        if case .toOne(let position) = back.kind {
            guard let other = self.object(referredToBy: old), isThere(other),
                other.reference(at: position) == ObjectReference(object)
            else { return }
            setReference(nil, at: position, of: other)
        } else {
            if let undoManager, let other = self.object(referredToBy: old) { undoManager.willChange(back, of: other) }
            note(object, isAddition: false, Slot(owner: old, relationship: inverse), back, isStored: isStored)
            if let other = knownObject(old) { noteChange(of: other) }
        }
    }

    /// Lets the other end of a relationship lead back, and takes a partner from the object that had it. `isStored` says
    /// whether the store has the object there.
    func noteInverse(
        of relationship: ResolvedRelationship, of object: ManagedObject, reaches other: ManagedObject, isStored: Bool
    ) {
        guard let back = inverse(of: relationship, at: other) else { return }
        if case .toOne(let position) = back.kind {
            guard isThere(other) else { return }
            // The object that the other was related to before is so no longer.
            let previous = other.reference(at: position)
            if previous == ObjectReference(object) { return }
            setReference(ObjectReference(object), at: position, of: other)
            // It may have been its own.
            if let previous, let old = self.object(referredToBy: previous), old !== other, isThere(old),
                case .toOne(let own) = inverse(of: back, at: old)?.kind
            {
                setReference(nil, at: own, of: old)
            }
        } else {
            undoManager?.willChange(back, of: other)
            let slot = Slot(owner: ObjectReference(other), relationship: back.position)
            note(object, isAddition: true, slot, back, isStored: isStored)
            noteChange(of: other)
        }
    }

    /// Remembers that an object comes to the inverse of a to-one relationship, or leaves it.
    private func note(
        _ object: ManagedObject, isAddition: Bool, _ slot: Slot, _ relationship: ResolvedRelationship, isStored: Bool
    ) {
        let reference = ObjectReference(object)
        if relationship.isNoted {
            let change = RelationshipTable.Note(
                slot: slot, reference: reference, isAddition: isAddition, isStored: isStored)
            // An object that moves once makes two notes.
            return relationshipTable.note(change, limit: 4 * (pending.inserted.count + pending.updated.count) + 64)
        }
        if isAddition {
            relationshipTable.add(reference, to: slot, isStored: isStored)
        } else {
            relationshipTable.remove(reference, from: slot, isStored: isStored)
        }
    }
}
