import Foundation

/// Applies what a child context saves to its parent, as unsaved changes.
struct ParentChanges {
    private let parent: ManagedObjectContext
    private let changes: ChangeSet
    private let keys: PermanentKeys

    init(_ parent: ManagedObjectContext, _ changes: ChangeSet, _ keys: PermanentKeys) {
        self.parent = parent
        self.changes = changes
        self.keys = keys
    }

    /// Applies all changes, or none if the parent no longer has one of the objects.
    ///
    /// If the parent cannot read an object that it has to change, it keeps part of the changes and refuses to save
    /// until it is rolled back.
    ///
    /// - Throws: `StoreError` with `mergeConflict`; any error of reading the store.
    func apply() throws(StoreError) {
        try parent.checkReadingError()
        try applyAll()
        try parent.checkReadingError()
    }

    private func applyAll() throws(StoreError) {
        let (updated, deleted) = try existingObjects()
        var check = ParentReferenceCheck(parent, changes, keys)
        try check.run(deleting: deleted)
        var inserted: [(ManagedObject, RowReference)] = []
        for (entity, changes) in changes.entities.enumerated() {
            var next = keys.firstKeys[entity]
            for row in changes.inserts {
                let key = row.row.key < 0 ? next : row.row.key
                if row.row.key < 0 { next += 1 }
                inserted.append((try insert(entity, key), row))
            }
        }
        for (object, row) in inserted { setAttributes(of: object, to: row, over: nil) }
        for (object, row) in updated { setAttributes(of: object, to: row, over: row.origin) }
        for (object, row) in inserted { setReferences(of: object, to: row, over: nil) }
        for (object, row) in updated { setReferences(of: object, to: row, over: row.origin) }
        for link in changes.links { apply(link) }
        for orders in Dictionary(grouping: changes.orders, by: { OrderedList($0) }) {
            arrange(orders.key, orders.value)
        }
        for object in deleted { parent.delete(object) }
        parent.processPendingChanges()
    }

    /// Returns the parent's objects that the child changed or deleted.
    private func existingObjects() throws(StoreError) -> (
        updated: [(ManagedObject, RowReference)], deleted: [ManagedObject]
    ) {
        var (updated, deleted): ([(ManagedObject, RowReference)], [ManagedObject]) = ([], [])
        var conflicts: [MergeConflict] = []
        for (entity, changes) in changes.entities.enumerated() {
            for row in changes.updates where row.changedOrigin(parent.model.entities[entity].layout) != nil {
                let id = try id(row.row.key, entity)
                // Another writer may have replaced the row by a row of another entity.
                if let object = try parent.objectIfThere(id), object.entityIndex == entity {
                    updated.append((object, row))
                } else {
                    conflicts.append(MergeConflict(objectID: id, oldVersion: Int(row.row.version), newVersion: 0))
                }
            }
            // An object that the parent deleted as well needs no second deletion.
            for row in changes.deletes {
                let object = try parent.objectIfThere(id(row.row.key, entity))
                if let object, object.entityIndex == entity { deleted.append(object) }
            }
        }
        guard conflicts.isEmpty else { throw StoreError.conflict(conflicts) }
        return (updated, deleted)
    }

    private func id(_ key: Int64, _ entity: Int) throws(StoreError) -> ManagedObjectID {
        ManagedObjectID(source: try parent.requireStore().sources[entity], key: key)
    }

    private func insert(_ entity: Int, _ key: Int64) throws(StoreError) -> ManagedObject {
        let object = try parent.insertNewObject(parent.model.entities[entity])
        object.row.key = key
        object.state.insert(.registered)
        parent.registry.insert(object, object.rootIndex)
        return object
    }

    private func setAttributes(of object: ManagedObject, to row: RowReference, over origin: RowReference?) {
        for field in object.page.layout.attributeFields {
            if let origin, RowPage.areEqual(origin, row, field) { continue }
            object.prepareForWritingIfNeeded()
            object.page.setValue(row.value(field), of: field, of: object.row)
        }
    }

    private func setReferences(of object: ManagedObject, to row: RowReference, over origin: RowReference?) {
        for relationship in parent.relationships(of: object) {
            guard case .toOne(let position) = relationship.kind else { continue }
            let field = object.page.layout.fields[position]
            if let origin, RowPage.areEqual(origin, row, field) { continue }
            parent.setToOne(field.reference(in: row.row).flatMap(parentsObject), of: object, relationship)
        }
    }

    /// Returns the parent's object for one of the child's references.
    private func parentsObject(_ reference: ObjectReference) -> ManagedObject? {
        let permanent = ObjectReference(entity: Int(reference.entity), key: keys.permanent(reference.key))
        guard permanent.key > 0, let object = parent.object(referredToBy: permanent) else { return nil }
        return object.isDeleted ? nil : object
    }

    private func apply(_ link: LinkChange) {
        let first = parent.model.graph.joins[link.join]
        guard let inverse = first.inverse.map({ parent.model.graph.relationships[first.destination][$0] }),
            let one = object(link.first, inverse.destination), let other = object(link.second, first.destination),
            let relationship = parent.relationships(of: one).first(where: { $0.position == first.position })
        else { return }
        if link.isAdded {
            parent.addRelated(other, to: one, by: relationship)
        } else {
            parent.removeRelated(other, from: one, by: relationship)
        }
    }

    /// Returns the parent's object with `key`, of an entity or one that inherits from it.
    private func object(_ key: Int64, _ entity: Int) -> ManagedObject? {
        let key = keys.permanent(key)
        let family = parent.model.hierarchy.families[entity]
        if let known = parent.registry.object(parent.model.hierarchy.roots[entity], key) {
            return known.isDeleted ? nil : known
        }
        return family.lazy.compactMap { try? parent.objectIfThere(id(key, $0)) }.first
    }

    private struct OrderedList: Hashable {
        let owner: ObjectReference
        let position: Int

        init(_ order: OrderChange) {
            owner = ObjectReference(entity: order.relationship.entity, key: order.owner)
            position = order.relationship.position
        }
    }

    /// Puts a list into the child's order. Members that the child does not know come last.
    private func arrange(_ list: OrderedList, _ orders: [OrderChange]) {
        guard let owner = parentsObject(list.owner), let relationship = orders.first?.relationship else { return }
        let places = Dictionary(
            orders.map { (keys.permanent($0.member), $0.number) }, uniquingKeysWith: { _, last in last })
        let members = parent.related(to: owner, by: relationship).enumerated()
        let sorted = members.sorted { one, other in
            let (place, otherPlace) = (places[one.element.row.key] ?? .max, places[other.element.row.key] ?? .max)
            return (place, one.offset) < (otherPlace, other.offset)
        }
        parent.setRelated(sorted.map(\.element), of: owner, by: relationship)
    }
}
