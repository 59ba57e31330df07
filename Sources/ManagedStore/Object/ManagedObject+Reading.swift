/// Reading properties where errors are to be thrown: what a property that is read by itself cannot do.
extension ManagedObject {
    /// The value of an attribute: `try item.value(of: Item.name)`.
    ///
    /// - Throws: `StoreError` with `objectNotFound` for a fault that the store no longer has; any error of reading the
    ///   store. Traps when `attribute` belongs to another entity.
    public final func value<Value: AttributeValue>(of attribute: Attribute<Value>) throws(StoreError) -> Value {
        try read()
        return self[attribute]
    }

    /// The objects that a relationship leads to.
    ///
    /// - Throws: `StoreError` with `objectNotFound` for a fault that the store no longer has; with `incompatibleStore`
    ///   when the store leads to an object of an entity that the relationship does not lead to; any error of reading
    ///   the store. Traps when `relationship` belongs to another entity.
    /// - Complexity: O(1) for a to-one relationship, O(n) for n related objects.
    public final func value<Value: RelationshipValue>(
        of relationship: Relationship<Value>
    ) throws(StoreError) -> Value {
        Value(_objects: try readRelated(by: resolved(relationship.description)))
    }

    /// The objects that a relationship leads to; none for an object that has left its context.
    ///
    /// - Throws: as ``value(of:)-(Relationship<Value>)``.
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

    /// The context; nil for an object that has left it.
    ///
    /// - Throws: `StoreError` with `invalidRequest` when the context is gone.
    final func contextIfAny() throws(StoreError) -> ManagedObjectContext? {
        if let context = managedObjectContext { return context }
        if state.contains(.isGone) { return nil }
        throw StoreError(.invalidRequest, contextIsGone)
    }

    /// Sees to it that the values are there.
    ///
    /// - Throws: `StoreError` with `objectNotFound` for a fault that the store no longer has; any error of reading the
    ///   store.
    final func read() throws(StoreError) {
        checkQueue()
        if state.isDisjoint(with: [.isFault, .isHollow]) { return }
        if state.contains(.isHollow), !state.contains(.isGone) { _ = try contextIfAny() }
        if try !loadFault() { throw StoreError.notFound(objectID) }
    }
}
