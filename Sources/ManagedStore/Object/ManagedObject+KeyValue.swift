import Foundation

/// Dynamic access by name, for entities without a class of their own.
extension ManagedObject {
    /// The value of the attribute called `key`: a `String`, `Bool`, `Date`, `Int64`, `Double`, `Data`, or nil.
    ///
    /// - Throws: `StoreError` with `unknownKey`.
    public final func value(forKey key: String) throws(StoreError) -> Any? {
        try storedValue(forKey: key).any
    }

    /// The value of the attribute called `key`, without losing its type.
    ///
    /// - Throws: `StoreError` with `unknownKey`.
    public final func storedValue(forKey key: String) throws(StoreError) -> StoredValue {
        let field = entity.layout.fields[try entity.position(of: key)]
        if state.contains(.isFault) { fireFault() }
        return page.value(of: field, of: row)
    }

    /// Sets the attribute called `key`. An `Int` serves for an integer or a double.
    ///
    /// - Throws: `StoreError` with `unknownKey` or `wrongType`; with `invalidRequest` for an object that was deleted.
    public final func setValue(_ value: Any?, forKey key: String) throws(StoreError) {
        let position = try entity.position(of: key)
        let attribute = entity.attributes[position]
        guard let stored = StoredValue(any: value)?.fitted(to: attribute.attributeType) else {
            throw StoreError.wrongType(value, attribute: attribute, entity: entity.name)
        }
        if state.contains(.isFault), managedObjectContext != nil { fireFault() }
        if isDeleted || managedObjectContext == nil {
            throw StoreError(.invalidRequest, "\(objectID) was deleted or left its context; \(key) cannot be set")
        }
        if !state.isReadyForWriting || page.isArenaFull { prepareForWriting() }
        page.setValue(stored, of: entity.layout.fields[position], of: row)
    }

    /// The attributes whose unsaved values differ from the saved ones, with their unsaved values.
    public final func changedValues() -> [String: StoredValue] {
        guard hasChanges else { return [:] }
        var changed: [String: StoredValue] = [:]
        let origin = committedRow
        for (attribute, field) in zip(entity.attributes, entity.layout.fields) {
            let current = RowReference(page, row)
            if let origin, RowPage.areEqual(origin, current, field) { continue }
            if origin == nil, field.isNull(in: row) { continue }
            changed[attribute.name] = current.value(field)
        }
        return changed
    }

    /// The values that the store has, as far as this context knows, of the attributes called `keys`, or of all.
    ///
    /// - Throws: `StoreError` with `unknownKey`.
    public final func committedValues(forKeys keys: [String]? = nil) throws(StoreError) -> [String: StoredValue] {
        if state.contains(.isFault) { fireFault() }
        let names = keys ?? entity.attributes.map(\.name)
        var values: [String: StoredValue] = [:]
        for name in names {
            let field = entity.layout.fields[try entity.position(of: name)]
            values[name] = committedRow?.value(field) ?? .null
        }
        return values
    }
}
