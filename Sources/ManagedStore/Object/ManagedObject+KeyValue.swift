import Foundation

/// Dynamic access by name, for entities without a class of their own.
extension ManagedObject {
    /// The value of the attribute called `key`, of the Swift type that ``AttributeType`` names, or nil. A transformable
    /// attribute yields its decoded value where the entity knows its Swift type through an ``Attribute``, and its JSON
    /// as `Data` otherwise. A relationship yields a `ManagedObject`, a `Set` of them, or, if it is ordered, an `Array`.
    ///
    /// - Throws: `StoreError` with `unknownKey`; with `wrongType`, naming object and key, for JSON that cannot be
    ///   decoded and for text that is no URL; with `objectNotFound` for a fault that the store no longer has; any error
    ///   of reading the store.
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

    /// The value of the attribute called `key`, without losing its type; of a to-one relationship, the ID of the
    /// related object.
    ///
    /// - Throws: `StoreError` with `unknownKey`; as ``value(forKey:)`` for a fault.
    public final func storedValue(forKey key: String) throws(StoreError) -> StoredValue {
        let field = entity.layout.fields[try entity.fieldPosition(of: key)]
        try read()
        return page.value(of: field, of: row)
    }

    /// Sets the attribute called `key`. Any integer serves for any number, if it is in range; a `Double` for a float or
    /// a decimal, a `Float` for a double or a decimal; a transformable attribute takes a ``Transformable``, its JSON as
    /// `Data`, or, where the entity knows the attribute's Swift type through an ``Attribute``, the value itself. A
    /// relationship takes a `ManagedObject`, or an `Array` or `Set` of them.
    ///
    /// - Throws: `StoreError` with `unknownKey` or `wrongType`; with `invalidRequest` for an object that was deleted;
    ///   any error of reading the store.
    public final func setValue(_ value: Any?, forKey key: String) throws(StoreError) {
        if let relationship = relationship(named: key) { return try setRelatedValue(value, relationship) }
        let position = try entity.position(of: key)
        let stored = try entity.storedValue(value, at: position)
        if state.contains(.isFault), managedObjectContext != nil { _ = try loadFault() }
        if isDeleted || managedObjectContext == nil {
            throw StoreError(.invalidRequest, "\(objectID) was deleted or left its context; \(key) cannot be set")
        }
        if !state.isReadyForWriting || isArenaFull { prepareForWriting() }
        page.setValue(stored, of: entity.layout.fields[position], of: row)
    }

    /// The attributes and relationships whose unsaved values differ from the saved ones, with their unsaved values. A
    /// to-many relationship has the IDs of all objects that it leads to, which are read if need be.
    public final func changedValues() -> [String: StoredValue] {
        checkQueue()
        guard hasChanges else { return [:] }
        var changed: [String: StoredValue] = [:]
        let origin = committedRow
        for (name, field) in zip(entity.fieldNames, entity.layout.fields) {
            let current = RowReference(page, row)
            if let origin, RowPage.areEqual(origin, current, field) { continue }
            if origin == nil, field.isNull(in: row) { continue }
            changed[name] = current.value(field)
        }
        return changed.merging(managedObjectContext?.changedLists(of: self) ?? [:]) { own, _ in own }
    }

    /// The values that the store has, as far as this context knows, of the attributes and to-one relationships called
    /// `keys`, or of all.
    ///
    /// - Throws: `StoreError` with `unknownKey`; as ``value(forKey:)`` for a fault.
    public final func committedValues(forKeys keys: [String]? = nil) throws(StoreError) -> [String: StoredValue] {
        try read()
        let names = keys ?? entity.fieldNames
        var values: [String: StoredValue] = [:]
        for name in names {
            let field = entity.layout.fields[try entity.fieldPosition(of: name)]
            values[name] = committedRow?.value(field) ?? .null
        }
        return values
    }
}
