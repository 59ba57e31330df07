/// What objects were before a step: enough to take it back.
struct UndoStep {
    /// An object as it was when the step first touched it.
    private struct Memento {
        let object: ManagedObject
        /// A copy of its row, for the attributes.
        let row: RowSnapshot
        /// What its to-one relationships led to.
        let references: [(relationship: ResolvedRelationship, object: ManagedObject?)]
        /// The objects of lists that the step changed and that rows do not tell: many-to-many, and in an order.
        var lists: [Int: [ManagedObject]] = [:]
    }

    private var inserted: [ManagedObject] = []
    private var insertedIDs: Set<ObjectIdentifier> = []
    private var deleted: [ManagedObject] = []
    private var mementos: [ObjectIdentifier: Memento] = [:]
    /// The order in which objects were first touched.
    private var touched: [ObjectIdentifier] = []

    var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && mementos.isEmpty }

    mutating func didInsert(_ object: ManagedObject) {
        inserted.append(object)
        insertedIDs.insert(ObjectIdentifier(object))
    }

    mutating func willDelete(_ object: ManagedObject) {
        if insertedIDs.remove(ObjectIdentifier(object)) != nil {
            inserted.removeAll { $0 === object }
            return
        }
        remember(object)
        deleted.append(object)
    }

    mutating func willChange(_ object: ManagedObject) {
        // Taking back an insertion takes back everything about the object.
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

    /// Takes the step back.
    func apply(in context: ManagedObjectContext) {
        for object in deleted.reversed() {
            if let memento = mementos[ObjectIdentifier(object)] { context.resurrect(object, memento.row) }
        }
        let mementos = touched.compactMap { self.mementos[$0] }.filter { $0.object.managedObjectContext === context }
        for memento in mementos { restoreAttributes(memento) }
        for memento in mementos { restoreRelationships(memento, in: context) }
        for object in inserted.reversed() where object.managedObjectContext === context { context.delete(object) }
    }

    private func restoreAttributes(_ memento: Memento) {
        let object = memento.object
        if object.isFault { object.fireFault() }
        let old = memento.row.reference
        for field in object.page.layout.attributeFields
        where !RowPage.areEqual(old, object.rowReference, field) {
            if !object.state.isReadyForWriting || object.isArenaFull { object.prepareForWriting() }
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
    /// Brings a deleted object back: one that the store still has as it was, any other as a new one.
    fileprivate func resurrect(_ object: ManagedObject, _ row: RowSnapshot) {
        if object.isDeleted {
            object.state.remove(.deleted)
            pending.deleted.remove(object)
            pending.refreshed.append(object)
            undoManager?.didInsert(object)
            // It may have had unsaved changes before it was deleted; and the others have forgotten it, who are to be
            // told.
            object.state.remove(.isReported)
            object.prepareForWriting()
            object.page.layout.forgetReferences(of: object.row)
        } else if object.state.contains(.isGone) {
            reinsert(object, row)
        }
    }

    /// Makes an object that left the context a new one.
    private func reinsert(_ object: ManagedObject, _ row: RowSnapshot) {
        // One that was never saved still has its place among the inserted ones, as a gap, and its key.
        let isGap = pending.inserted.contains { $0 === object }
        let key = isGap ? object.row.key : pending.nextTemporaryKey
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
    /// Makes the to-one relationships of a row lead nowhere.
    fileprivate func forgetReferences(of row: RowPointer) {
        for field in toOneFields { field.setReference(nil, of: row) }
    }
}
