import Foundation

/// Dynamic access by key, for entities without a class of their own.
extension ManagedObject {
    /// Returns the value of the attribute or relationship `key`, as the Swift type for its ``AttributeType``, or nil.
    ///
    /// A transformable attribute returns its decoded value if an ``Attribute`` declares its Swift type, otherwise its
    /// JSON as `Data`. A relationship returns a `ManagedObject`, a `Set` of them or, if it is ordered, an `Array`.
    ///
    /// - Throws: `StoreError` with `unknownKey`; with `wrongType`, which names object and key, for JSON that cannot be
    ///   decoded and for text that is not a URL; with `objectNotFound` for a fault whose row the store no longer has;
    ///   any error of reading the store.
    public final func value(forKey key: String) throws(StoreError) -> Any? {
        if let relationship = relationship(named: key) { return try relatedValue(relationship) }
        let stored = try storedValue(forKey: key)
        let attribute = entity.keys[try entity.position(of: key)]
        switch stored {
        case .null: return nil
        case .transformable, .uri:
            do throws(StoreError) {
                if let attribute { return try attribute._value(of: stored) }
                return try stored.validAny()
            } catch {
                throw StoreError(error.code, "\(objectID): \(entity.name).\(key): \(error.message)")
            }
        default: return stored.any
        }
    }

    /// Returns the value of the attribute `key` with its attribute type, or the ID of the related object for a to-one
    /// relationship.
    ///
    /// - Throws: `StoreError` with `unknownKey`; the errors of ``value(forKey:)`` for a fault.
    public final func storedValue(forKey key: String) throws(StoreError) -> StoredValue {
        let field = entity.layout.fields[try entity.fieldPosition(of: key)]
        try read()
        return page.value(of: field, of: row)
    }

    /// Sets the attribute or relationship `key`.
    ///
    /// Any integer in range fits any number; a `Double` fits a float or a decimal, a `Float` fits a double or a
    /// decimal. A transformable attribute takes a ``Transformable``, its JSON as `Data` or, if an ``Attribute``
    /// declares its Swift type, the value itself. A relationship takes a `ManagedObject`, or an `Array` or `Set` of
    /// them.
    ///
    /// - Throws: `StoreError` with `unknownKey` or `wrongType`; with `invalidRequest` for a deleted object; any error
    ///   of reading the store.
    public final func setValue(_ value: Any?, forKey key: String) throws(StoreError) {
        if let relationship = relationship(named: key) { return try setRelatedValue(value, relationship) }
        let position = try entity.position(of: key)
        let stored = try entity.storedValue(value, at: position)
        if state.contains(.isFault), managedObjectContext != nil { _ = try loadFault() }
        if isDeleted || managedObjectContext == nil {
            throw StoreError(.invalidRequest, "\(objectID) was deleted or left its context; \(key) cannot be set")
        }
        prepareForWritingIfNeeded()
        page.setValue(stored, of: entity.layout.fields[position], of: row)
    }

    /// Returns the unsaved values that differ from the saved ones, by key. A to-many relationship has the IDs of all
    /// its objects; this reads them if necessary.
    public final func changedValues() -> [String: StoredValue] {
        checkQueue()
        guard hasChanges else { return [:] }
        var changed: [String: StoredValue] = [:]
        let origin = committedRow
        for (name, field) in zip(entity.fieldNames, entity.layout.fields) {
            let current = RowReference(row)
            if let origin, RowPage.areEqual(origin, current, field) { continue }
            if origin == nil, field.isNull(in: row) { continue }
            changed[name] = current.value(field)
        }
        return changed.merging(managedObjectContext?.changedLists(of: self) ?? [:]) { own, _ in own }
    }

    /// Returns the store's values of the attributes and relationships in `keys`, as far as this context knows them;
    /// without `keys`, of all attributes and to-one relationships. A to-many relationship has the IDs of its objects,
    /// in their order if it has one; this reads them if necessary.
    ///
    /// - Throws: `StoreError` with `unknownKey`; the errors of ``value(forKey:)`` for a fault.
    public final func committedValues(forKeys keys: [String]? = nil) throws(StoreError) -> [String: StoredValue] {
        try read()
        let names = keys ?? entity.fieldNames
        var values: [String: StoredValue] = [:]
        for name in names {
            if let relationship = relationship(named: name), relationship.isToMany {
                let stored = try managedObjectContext?.readStoredReferences(of: self, relationship) ?? []
                values[name] = .objectIDs(page.source.ids(of: stored))
                continue
            }
            let field = entity.layout.fields[try entity.fieldPosition(of: name)]
            values[name] = committedRow?.value(field) ?? .null
        }
        return values
    }
}
