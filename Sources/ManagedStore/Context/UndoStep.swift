/// The states of objects before a step, which suffice to undo it.
struct UndoStep {
    /// The state of an object when the step first touched it.
    private struct Memento {
        let object: ManagedObject
        /// A copy of its row, with the attributes.
        let row: RowSnapshot
        /// The objects that its to-one relationships led to.
        let references: [(relationship: ResolvedRelationship, object: ManagedObject?)]
        /// The members of changed lists that rows do not hold: many-to-many and ordered ones.
        var lists: [Int: [ManagedObject]] = [:]
    }

    /// Those in `insertedIDs`, and others that the step has deleted again.
    private var inserted: [ManagedObject] = []
    private var insertedIDs: Set<ObjectIdentifier> = []
    private var deleted: [ManagedObject] = []
    private var mementos: [ObjectIdentifier: Memento] = [:]
    /// The objects in the order in which the step first touched them.
    private var touched: [ObjectIdentifier] = []

    var isEmpty: Bool { insertedIDs.isEmpty && deleted.isEmpty && mementos.isEmpty }

    mutating func didInsert(_ object: ManagedObject) {
        inserted.append(object)
        insertedIDs.insert(ObjectIdentifier(object))
    }

    mutating func willDelete(_ object: ManagedObject) {
        if insertedIDs.remove(ObjectIdentifier(object)) != nil { return }
        remember(object)
        deleted.append(object)
    }

    mutating func willChange(_ object: ManagedObject) {
        // Undoing an insertion undoes everything about the object.
        if insertedIDs.contains(ObjectIdentifier(object)) { return }
        remember(object)
    }

    mutating func willChange(_ relationship: ResolvedRelationship, of object: ManagedObject) {
        guard relationship.isOrdered || relationship.isManyToMany, let context = object.managedObjectContext else {
            return
        }
        remember(object)
        if mementos[ObjectIdentifier(object)]?.lists[relationship.position] != nil { return }
        mementos[ObjectIdentifier(object)]?.lists[relationship.position] = context.related(to: object, by: relationship)
    }

    private mutating func remember(_ object: ManagedObject) {
        let id = ObjectIdentifier(object)
        guard mementos[id] == nil, let context = object.managedObjectContext else { return }
        var copies = RowCopies(object.page.source)
        let row = copies.copy(object.rowReference)
        let references = context.relationships(of: object).filter { !$0.isToMany }.map {
            (relationship: $0, object: context.related(to: object, by: $0).first)
        }
        mementos[id] = Memento(object: object, row: row, references: references)
        touched.append(id)
    }

    /// Undoes the step.
    func apply(in context: ManagedObjectContext) {
        for object in deleted.reversed() {
            if let memento = mementos[ObjectIdentifier(object)] { context.resurrect(object, memento.row) }
        }
        let mementos = touched.compactMap { self.mementos[$0] }.filter { $0.object.managedObjectContext === context }
        for memento in mementos { restoreAttributes(memento) }
        for memento in mementos { restoreRelationships(memento, in: context) }
        for object in inserted.reversed()
        where insertedIDs.contains(ObjectIdentifier(object)) && object.managedObjectContext === context {
            context.delete(object)
        }
    }

    private func restoreAttributes(_ memento: Memento) {
        let object = memento.object
        if object.isFault { object.fireFault() }
        let old = memento.row.reference
        for field in object.page.layout.attributeFields
        where !RowPage.areEqual(old, object.rowReference, field) {
            object.prepareForWritingIfNeeded()
            object.page.setValue(old.value(field), of: field, of: object.row)
        }
    }

    private func restoreRelationships(_ memento: Memento, in context: ManagedObjectContext) {
        func isThere(_ object: ManagedObject) -> Bool { object.managedObjectContext === context && !object.isDeleted }
        guard isThere(memento.object) else { return }
        for (relationship, object) in memento.references {
            context.setToOne(object.flatMap { isThere($0) ? $0 : nil }, of: memento.object, relationship)
        }
        for (position, objects) in memento.lists {
            let relationship = context.relationships(of: memento.object)[position]
            context.setRelated(objects.filter(isThere), of: memento.object, by: relationship)
        }
    }
}

extension ResolvedRelationship {
    var isManyToMany: Bool {
        if case .manyToMany = kind { true } else { false }
    }
}

extension ManagedObjectContext {
    /// Brings a deleted object back: as it was if the store still has it, otherwise as a new object.
    fileprivate func resurrect(_ object: ManagedObject, _ row: RowSnapshot) {
        if object.isDeleted {
            object.state.remove(.deleted)
            pending.deleted.remove(object)
            pending.refreshed.append(object)
            undoManager?.didInsert(object)
            // The object may have had unsaved changes before its deletion, so it must be reported again. The inverses
            // have lost it: its references become nil first, so that setting them again updates the inverses.
            object.state.remove(.isReported)
            object.prepareForWriting()
            leaveOwnLists(object)
            object.page.layout.forgetReferences(of: object.row)
        } else if object.state.contains(.isGone) {
            reinsert(object, row)
        }
    }

    /// Makes an object that left the context a new object.
    private func reinsert(_ object: ManagedObject, _ row: RowSnapshot) {
        // An object that was never saved still has its key, and its place among the inserted ones as a gap.
        let isGap = pending.inserted.contains { $0 === object }
        let key = isGap ? object.row.key : pending.nextTemporaryKey
        leaveOwnLists(object)
        let (page, new) = writableRow(object.page.source, key: key)
        page.copyRow(row.reference, to: new)
        new.version = 0
        page.layout.forgetReferences(of: new)
        object.leaveRow()
        object.adopt(page, new)
        object.state.subtract([.isGone, .isFault, .isHollow, .wasReported, .updated])
        object.state.insert(.newlyInserted)
        guard isGap else { return registerInserted(object) }
        pending.insertedGaps -= 1
        pending.reinserted.append(object)
        undoManager?.didInsert(object)
        if key >= 0 {
            object.state.insert(.registered)
            registry.insert(object, object.rootIndex)
        }
    }
}

extension RowLayout {
    /// Sets the to-one relationships of a row to nil.
    fileprivate func forgetReferences(of row: RowPointer) {
        for field in toOneFields { field.setReference(nil, of: row) }
    }
}
