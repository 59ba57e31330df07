/// Reading properties with errors, which a plain property access cannot throw.
extension ManagedObject {
    /// Returns the value of an attribute: `try item.value(of: Item.name)`.
    ///
    /// - Throws: `StoreError` with `objectNotFound` for a fault whose row the store no longer has; any error of reading
    ///   the store. Traps if `attribute` belongs to another entity.
    public final func value<Value: AttributeValue>(of attribute: Attribute<Value>) throws(StoreError) -> Value {
        try read()
        return self[attribute]
    }

    /// The version of the row that the object shows: 1 after its insertion, and one more after each save that changed
    /// it. Reading fires a fault.
    package final var versionInStore: Int {
        if !state.isReadyForReading { prepareForReading() }
        return Int(row.version)
    }

    /// Returns the objects that a relationship leads to.
    ///
    /// - Throws: `StoreError` with `objectNotFound` for a fault whose row the store no longer has; with
    ///   `incompatibleStore` if the store's reference leads to an object of an entity other than the destination; any
    ///   error of reading the store. Traps if `relationship` belongs to another entity.
    /// - Complexity: O(1) for a to-one relationship, O(n) for n related objects.
    public final func value<Value: RelationshipValue>(
        of relationship: Relationship<Value>
    ) throws(StoreError) -> Value {
        Value(_objects: try readRelated(by: resolved(relationship)))
    }

    /// Returns the objects that a relationship leads to; none for an object that has left its context.
    ///
    /// - Throws: the errors of ``value(of:)-(Relationship<Value>)``.
    final func readRelated(by relationship: ResolvedRelationship) throws(StoreError) -> [ManagedObject] {
        try read()
        guard let context = try contextIfAny() else { return [] }
        let related = try context.readRelated(to: self, by: relationship)
        guard related.isEmpty, !relationship.isToMany, let reference = context.reference(of: self, relationship),
            context.isOfAnotherEntity(reference)
        else { return related }
        throw StoreError(
            .incompatibleStore,
            "\(objectID).\(relationship.name) leads to \(page.source.id(of: reference)), which is of another entity in the store; correct the "
                + "reference, or set it to NULL")
    }

    /// Returns the context; nil for an object that has left it.
    ///
    /// - Throws: `StoreError` with `invalidRequest` if the context no longer exists.
    final func contextIfAny() throws(StoreError) -> ManagedObjectContext? {
        if let context = managedObjectContext { return context }
        if state.contains(.isGone) { return nil }
        throw StoreError(.invalidRequest, contextIsGone)
    }

    /// Reads the values unless the object has them already.
    ///
    /// - Throws: `StoreError` with `objectNotFound` for a fault whose row the store no longer has; any error of reading
    ///   the store.
    final func read() throws(StoreError) {
        checkQueue()
        if state.isDisjoint(with: [.isFault, .isHollow]) { return }
        if state.contains(.isHollow), !state.contains(.isGone) { _ = try contextIfAny() }
        if try !loadFault() { throw StoreError.notFound(objectID) }
    }
}
