import Foundation

/// Relationships, through checked keys.
extension ManagedObject {
    /// The related objects: one or none, a set, or an array in the order that is kept. Reading asks the store for what
    /// was not read yet; writing keeps the inverse in step at both ends, and marks the objects at both ends as updated.
    ///
    /// Reading a to-many relationship reads the related objects' rows with it, in one query; reading one object's is
    /// O(1), a to-many O(n). A relationship that cannot be read reads as if it led nowhere: see
    /// ``ManagedObjectContext/readingError``, and ``value(of:)-(Relationship<Value>)``, which throws. An object that is
    /// deleted, here or in the store, is left out of what is set; setting a relationship of such an object does
    /// nothing.
    ///
    /// Traps when `relationship` belongs to another entity, when given an object of another context, and when the
    /// context is gone.
    public final subscript<Value: RelationshipValue>(relationship: Relationship<Value>) -> Value {
        get {
            PropertyProbe.recorder?.note(relationship.description.name)
            guard let context = managedObjectContext else { return relatedWithoutContext() }
            return Value(_objects: context.related(to: self, by: resolved(relationship.description)))
        }
        set {
            contextForChanges?.setRelated(newValue._objects, of: self, by: resolved(relationship.description))
        }
    }

    /// Adds an object to a to-many relationship, at the end of an ordered one, without reading those that are there.
    public final func add<Value: RelationshipValue>(_ object: Value.Destination, to relationship: Relationship<Value>) {
        contextForChanges?.addRelated(object, to: self, by: resolved(relationship.description))
    }

    /// Removes an object from a to-many relationship, without reading those that are there.
    public final func remove<Value: RelationshipValue>(
        _ object: Value.Destination, from relationship: Relationship<Value>
    ) {
        contextForChanges?.removeRelated(object, from: self, by: resolved(relationship.description))
    }

    /// What a relationship of an object that has left its context leads to: nothing; or of one that is read on trial.
    private func relatedWithoutContext<Value: RelationshipValue>() -> Value {
        if !state.contains(.isGone), page.registry != nil { fatalError(contextIsGone) }
        guard !Value.isToMany, let recorder = PropertyProbe.recorder else { return Value(_objects: []) }
        return Value(_objects: recorder.objects(Value.Destination.self))
    }

    /// Traps for an object of a batch insert: its key is unknown until it is stored, and so nothing can refer to it.
    final func checkIsInNoBatch() {
        precondition(row.key != BatchInsertRows.key, isInBatch)
    }

    private var isInBatch: String {
        "relationships of \(entity.name) cannot be set in a batch insert: fetch the objects afterwards and set them then"
    }

    /// The context that a change of a relationship is made in; nil for an object that is deleted or has left its
    /// context, of which nothing is saved. Another context may have done that, of which the caller need not know.
    private var contextForChanges: ManagedObjectContext? {
        if !state.isDisjoint(with: [.isGone, .deleted]) { return nil }
        checkIsInNoBatch()
        guard let context = managedObjectContext else { fatalError(contextIsGone) }
        return context
    }

    final func resolved(_ description: RelationshipDescription) -> ResolvedRelationship {
        guard let relationship = relationship(named: description.name), relationship.description == description else {
            fatalError(
                "entity \(entity.name) has no relationship \"\(description.name)\" to "
                    + "\(description.destinationEntityName); it has \(entity.relationships.map(\.name))")
        }
        return relationship
    }

    /// The relationship called `name`; nil if the entity has none.
    final func relationship(named name: String) -> ResolvedRelationship? {
        page.source.model.graph.relationships[page.entityIndex].first { $0.name == name }
    }

    /// The IDs of the objects that the to-many relationship called `name` leads to, without making them objects.
    ///
    /// - Throws: `StoreError` with `unknownKey`; as ``value(of:)-(Relationship<Value>)``.
    public final func objectIDs(forRelationshipNamed name: String) throws(StoreError) -> [ManagedObjectID] {
        guard let relationship = relationship(named: name) else {
            throw StoreError.unknownKey(name, entity: entity.name, known: entity.relationships.map(\.name))
        }
        guard relationship.isToMany else { return try readRelated(by: relationship).map(\.objectID) }
        let references = try contextIfAny()?.readReferences(of: self, relationship) ?? []
        // An object that others refer to is there; one that none refers to may be gone.
        if references.isEmpty { try read() }
        return references.map { page.source.id(of: $0) }
    }

    /// What `value(forKey:)` yields for a relationship.
    ///
    /// - Throws: as ``value(of:)-(Relationship<Value>)``.
    final func relatedValue(_ relationship: ResolvedRelationship) throws(StoreError) -> Any? {
        let objects = try readRelated(by: relationship)
        if !relationship.isToMany { return objects.first }
        return relationship.isOrdered ? objects : Set(objects)
    }

    /// What `setValue(_:forKey:)` does for a relationship.
    ///
    /// - Throws: `StoreError` with `wrongType` or `invalidRequest`; any error of reading the store.
    final func setRelatedValue(_ value: Any?, _ relationship: ResolvedRelationship) throws(StoreError) {
        let objects: [ManagedObject]? =
            switch value {
            case nil: []
            case let object as ManagedObject: relationship.isToMany ? nil : [object]
            case let objects as [ManagedObject]: relationship.isToMany ? objects : nil
            case let objects as Set<ManagedObject>: relationship.isToMany ? Array(objects) : nil
            default: nil
            }
        let family = page.source.model.hierarchy.families[relationship.destination]
        guard let objects, objects.allSatisfy({ family.contains($0.entityIndex) }) else {
            throw StoreError(
                .wrongType,
                "\(value.map { "\($0)" } ?? "nil") does not fit \(entity.name).\(relationship.name), which leads to "
                    + "\(relationship.isToMany ? "any number of " : "one ")\(relationship.description.destinationEntityName)",
                key: relationship.name)
        }
        if row.key == BatchInsertRows.key { throw StoreError(.invalidRequest, isInBatch) }
        if state.contains(.isFault), managedObjectContext != nil { _ = try loadFault() }
        guard !isDeleted, let context = managedObjectContext,
            objects.allSatisfy({ $0.managedObjectContext === context })
        else {
            throw StoreError(
                .invalidRequest,
                "\(objectID).\(relationship.name) cannot be set: one of the objects was deleted, or is in another context"
            )
        }
        // So that what cannot be read is told of before anything is changed.
        if relationship.isToMany { _ = try context.readReferences(of: self, relationship) }
        context.setRelated(objects, of: self, by: relationship)
    }
}
