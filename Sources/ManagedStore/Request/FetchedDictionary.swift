import Foundation

/// Reading the dictionaries that ``ManagedObjectContext/fetchDictionaries(_:)`` hands back.
extension [String: StoredValue] {
    /// The value called `name` as a Swift type: `try record.value("total", as: Int.self)`. An optional type takes a
    /// missing value.
    ///
    /// - Throws: `StoreError` with `unknownKey` for a name that was not fetched; with `wrongType` for a value of
    ///   another type, and for a missing one where the type is not optional.
    public func value<Kind: AttributeValue>(
        _ name: String, as type: Kind.Type = Kind.self
    ) throws(StoreError) -> Kind {
        guard let stored = self[name] else {
            throw StoreError(.unknownKey, "\"\(name)\" was not fetched; fetched were \(keys.sorted())")
        }
        if let fitted = stored.fitted(to: Kind.attributeType) {
            if let value = try Kind._value(of: fitted) as? Kind { return value }
            // An Int is kept as an Int64.
            if let value = fitted.whole.flatMap({ Int(exactly: $0) }) as? Kind { return value }
        }
        throw StoreError(.wrongType, "\"\(name)\" is \(stored), which is no \(Kind.self)")
    }

    /// The value of the attribute that a checked key names: `try record.value(Item.name)`.
    ///
    /// - Throws: as ``value(_:as:)``.
    public func value<Kind: AttributeValue>(_ attribute: Attribute<Kind>) throws(StoreError) -> Kind {
        try value(attribute.description.name)
    }

    /// The ID called `name`; nil where there is none.
    ///
    /// - Throws: as ``value(_:as:)``.
    public func objectID(_ name: String = "objectID") throws(StoreError) -> ManagedObjectID? {
        switch self[name] {
        case .objectID(let id): return id
        case .null: return nil
        case nil: throw StoreError(.unknownKey, "\"\(name)\" was not fetched; fetched were \(keys.sorted())")
        case let other?: throw StoreError(.wrongType, "\"\(name)\" is \(other), which is no object's ID")
        }
    }
}
