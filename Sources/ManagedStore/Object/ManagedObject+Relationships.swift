import Foundation

/// Relationships through checked keys.
extension ManagedObject {
    /// The related objects: one or none, a set, or an array in the stored order.
    ///
    /// Reading asks the store for objects that were not read yet. Writing updates the inverses at both ends, and marks
    /// the objects at both ends as updated.
    ///
    /// Reading a to-many relationship reads the related objects' rows in the same query. It takes O(n), reading a
    /// to-one relationship O(1). A relationship that cannot be read appears to lead nowhere: see
    /// ``ManagedObjectContext/readingError``, and ``value(of:)-(Relationship<Value>)``, which throws. Writing leaves
    /// out objects that are deleted, here or in the store. Writing a relationship of a deleted object has no effect.
    ///
    /// Traps if `relationship` belongs to another entity, if an object belongs to another context, or if the context no
    /// longer exists.
    public final subscript<Value: RelationshipValue>(relationship: Relationship<Value>) -> Value {
        @inlinable get { Value._related(to: self, by: relationship) }
        @inlinable set { newValue._setRelated(of: self, by: relationship) }
    }

    /// Returns the object that a to-one relationship to `type` leads to.
    @usableFromInline final func _relatedObject(
        by key: any RelationshipKey, _ type: ManagedObject.Type
    ) -> ManagedObject? {
        if let known = knownObject(by: key) { return known }
        if let related = withContext({ $0.relatedObject(to: self, by: resolved(key)) }) { return related }
        return noteRelationshipWithoutContext(key)?.objects(type).first
    }

    /// Returns the object that a to-one relationship leads to if nothing has to be read or checked for it, which is
    /// mostly so. Nil otherwise, also if there is no such object.
    @inline(__always) private final func knownObject(by key: any RelationshipKey) -> ManagedObject? {
        guard state.isDisjoint(with: [.isGone, .isFault, .isHollow, .isWatched]) else { return nil }
        return unmanagedPage._withUnsafeGuaranteedRef { page in
            guard let reference = page.layout.reference(by: key, in: row), reference.key > 0,
                let registry = page.unmanagedRegistry
            else { return nil }
            return registry._withUnsafeGuaranteedRef { registry in
                guard registry.isContextAtWork else { return nil }
                let roots = page.source.model.hierarchy.roots
                let known = registry.object(roots[Int(reference.entity)], reference.key)
                return known?.entityIndex == Int(reference.entity) ? known : nil
            }
        }
    }

    /// Returns the related objects as an array: in order for an ordered relationship, in no particular order for
    /// another.
    ///
    /// ```swift
    /// for item in folder.objects(of: Folder.items) { item.name = item.name.uppercased() }
    /// ```
    ///
    /// This is the cheap way to go through many related objects: the property of an unordered relationship makes a
    /// `Set`, which hashes each of them.
    ///
    /// A relationship that cannot be read appears to lead nowhere, as its property does. O(n). Traps if `relationship`
    /// belongs to another entity, or if the context no longer exists.
    public final func objects<Value: RelationshipValue>(of relationship: Relationship<Value>) -> [Value.Destination] {
        _relatedObjects(by: relationship).asserting(Value.Destination.self)
    }

    /// Returns the objects that a relationship leads to.
    @usableFromInline final func _relatedObjects(by key: any RelationshipKey) -> [ManagedObject] {
        if let related = withContext({ $0.related(to: self, by: resolved(key)) }) { return related }
        _ = noteRelationshipWithoutContext(key)
        return []
    }

    /// Lets a to-one relationship lead to `other`.
    @usableFromInline final func _setRelatedObject(_ other: ManagedObject?, by key: any RelationshipKey) {
        changeInContext { $0.setRelatedObject(other, of: self, by: resolved(key)) }
    }

    /// Lets a relationship lead to `objects`.
    @usableFromInline final func _setRelatedObjects(_ objects: [ManagedObject], by key: any RelationshipKey) {
        changeInContext { $0.setRelated(objects, of: self, by: resolved(key)) }
    }

    /// Calls `body` with the context; returns nil for an object that has left it, or whose context no longer exists.
    @inline(__always) private final func withContext<Result>(_ body: (ManagedObjectContext) -> Result) -> Result? {
        if state.contains(.isGone) { return nil }
        // The context keeps its registry while the object moves from page to page.
        let registry = unmanagedPage._withUnsafeGuaranteedRef { $0.unmanagedRegistry }
        return registry?._withUnsafeGuaranteedRef { $0.withContext(body) } ?? nil
    }

    /// Returns the recorder of the probe if the object is one of its temporary objects, once it has noted the
    /// relationship; nil for an object that has left its context. Traps if the context no longer exists.
    private func noteRelationshipWithoutContext(_ key: any RelationshipKey) -> PropertyProbe.Recorder? {
        if !state.contains(.isGone), page.registry != nil { fatalError(contextIsGone) }
        let recorder = PropertyProbe.recorder
        recorder?.note(key.description.name)
        return recorder
    }

    /// Adds an object to a to-many relationship, at the end of an ordered one, without reading the existing objects.
    public final func add<Value: RelationshipValue>(_ object: Value.Destination, to relationship: Relationship<Value>) {
        changeInContext { $0.addRelated(object, to: self, by: resolved(relationship)) }
    }

    /// Removes an object from a to-many relationship, without reading the existing objects.
    public final func remove<Value: RelationshipValue>(
        _ object: Value.Destination, from relationship: Relationship<Value>
    ) {
        changeInContext { $0.removeRelated(object, from: self, by: resolved(relationship)) }
    }

    /// Adds an object to the to-many relationship `name`, at the end of an ordered one, without reading the existing
    /// objects.
    ///
    /// - Throws: `StoreError` with `unknownKey`.
    public final func add(_ object: ManagedObject, toRelationshipNamed name: String) throws(StoreError) {
        let relationship = try knownRelationship(named: name)
        changeInContext { $0.addRelated(object, to: self, by: relationship) }
    }

    /// Removes an object from the to-many relationship `name`, without reading the existing objects.
    ///
    /// - Throws: `StoreError` with `unknownKey`.
    public final func remove(_ object: ManagedObject, fromRelationshipNamed name: String) throws(StoreError) {
        let relationship = try knownRelationship(named: name)
        changeInContext { $0.removeRelated(object, from: self, by: relationship) }
    }

    /// Traps for an object of a batch insert. Its key is unknown until it is stored, so no reference to it can exist.
    final func checkIsInNoBatch() {
        precondition(!BatchInsertRows.isKey(row.key), isInBatch)
    }

    private var isInBatch: String {
        "relationships of \(entity.name) cannot be set in a batch insert: fetch the objects afterwards and set them then"
    }

    /// Changes a relationship. Does nothing for an object that is deleted or has left its context: changes to it are
    /// never saved, and the caller need not know of a deletion by another context.
    private final func changeInContext(_ change: (ManagedObjectContext) -> Void) {
        if !state.isDisjoint(with: [.isGone, .deleted]) { return }
        checkIsInNoBatch()
        if withContext(change) == nil { fatalError(contextIsGone) }
    }

    /// Returns the relationship of a checked key. Traps if the entity does not have it.
    final func resolved(_ key: any RelationshipKey) -> ResolvedRelationship {
        let (known, position) = (ownRelationships, key._position)
        if position < known.count, known[position].key == ObjectIdentifier(key) { return known[position] }
        return resolved(key.description)
    }

    /// Returns the relationship of a key that the entity was not described with.
    private func resolved(_ description: RelationshipDescription) -> ResolvedRelationship {
        guard let relationship = relationship(named: description.name), relationship.description == description else {
            fatalError(
                "entity \(entity.name) has no relationship \"\(description.name)\" to "
                    + "\(description.destinationEntityName); it has \(entity.relationships.map(\.name))")
        }
        return relationship
    }

    /// Returns the relationship `name`; nil if the entity does not have it.
    final func relationship(named name: String) -> ResolvedRelationship? {
        ownRelationships.first { $0.name == name }
    }

    private func knownRelationship(named name: String) throws(StoreError) -> ResolvedRelationship {
        if let relationship = relationship(named: name) { return relationship }
        throw StoreError.unknownKey(name, entity: entity.name, known: entity.relationships.map(\.name))
    }

    /// The relationships of the object's entity.
    final var ownRelationships: [ResolvedRelationship] {
        unmanagedPage._withUnsafeGuaranteedRef { $0.source.model.graph.relationships[$0.entityIndex] }
    }

    /// Returns the IDs of the objects of the to-many relationship `name`, without making these objects.
    ///
    /// - Throws: `StoreError` with `unknownKey`; the errors of ``value(of:)-(Relationship<Value>)``.
    public final func objectIDs(forRelationshipNamed name: String) throws(StoreError) -> [ManagedObjectID] {
        let relationship = try knownRelationship(named: name)
        guard relationship.isToMany else { return try readRelated(by: relationship).map(\.objectID) }
        let references = try contextIfAny()?.readReferences(of: self, relationship) ?? []
        // Related rows prove that the object exists. Without any, the store may have deleted it.
        if references.isEmpty { try read() }
        return page.source.ids(of: references)
    }

    /// Returns the value of a relationship for `value(forKey:)`.
    ///
    /// - Throws: the errors of ``value(of:)-(Relationship<Value>)``.
    final func relatedValue(_ relationship: ResolvedRelationship) throws(StoreError) -> Any? {
        let objects = try readRelated(by: relationship)
        if !relationship.isToMany { return objects.first }
        return relationship.isOrdered ? objects : Set(objects)
    }

    /// Returns the objects of a value for a relationship; nil if it has another type. A collection is never cast to an
    /// object: the runtime would try its copy as an `NSSet` or `NSArray`.
    private static func objects(_ value: Any?, _ relationship: ResolvedRelationship) -> [ManagedObject]? {
        guard let value else { return [] }
        if !relationship.isToMany { return (value as? ManagedObject).map { [$0] } }
        return (value as? Set<ManagedObject>).map(Array.init) ?? value as? [ManagedObject]
    }

    /// Sets a relationship for `setValue(_:forKey:)`.
    ///
    /// - Throws: `StoreError` with `wrongType` or `invalidRequest`; any error of reading the store.
    final func setRelatedValue(_ value: Any?, _ relationship: ResolvedRelationship) throws(StoreError) {
        let objects = Self.objects(value, relationship)
        let family = page.source.model.hierarchy.families[relationship.destination]
        guard let objects, objects.allSatisfy({ family.contains($0.entityIndex) }) else {
            throw StoreError(
                .wrongType,
                "\(value.map { "\($0)" } ?? "nil") does not fit \(entity.name).\(relationship.name), which leads to "
                    + "\(relationship.isToMany ? "any number of " : "one ")\(relationship.description.destinationEntityName)",
                key: relationship.name)
        }
        if BatchInsertRows.isKey(row.key) { throw StoreError(.invalidRequest, isInBatch) }
        if state.contains(.isFault), managedObjectContext != nil { _ = try loadFault() }
        guard !isDeleted, let context = managedObjectContext,
            objects.allSatisfy({ $0.managedObjectContext === context })
        else {
            throw StoreError(
                .invalidRequest,
                "\(objectID).\(relationship.name) cannot be set: one of the objects was deleted or belongs to "
                    + "another context; pass existing objects of this context"
            )
        }
        // Read first, so that an error is thrown before anything changes.
        if relationship.isToMany { _ = try context.readReferences(of: self, relationship) }
        context.setRelated(objects, of: self, by: relationship)
    }
}
