import Foundation

/// Reading the dictionaries that ``ManagedObjectContext/fetchDictionaries(_:)`` returns.
extension [String: StoredValue] {
    /// Returns the value of `name` as a Swift type: `try record.value("total", as: Int.self)`. A missing value requires
    /// an optional type.
    ///
    /// - Throws: `StoreError` with `unknownKey` for a name that was not fetched; with `wrongType` for a value of
    ///   another type, and for a missing value if the type is not optional.
    public func value<Kind: AttributeValue>(
        _ name: String, as type: Kind.Type = Kind.self
    ) throws(StoreError) -> Kind {
        guard let stored = self[name] else {
            throw StoreError(.unknownKey, "\"\(name)\" was not fetched; the dictionary has \(keys.sorted())")
        }
        if let fitted = stored.fitted(to: Kind.attributeType) {
            if let value = try Kind._value(of: fitted) as? Kind { return value }
            // An Int is stored as an Int64.
            if let value = fitted.whole.flatMap({ Int(exactly: $0) }) as? Kind { return value }
        }
        throw StoreError(.wrongType, "\"\(name)\" is \(stored), which is not a \(Kind.self)")
    }

    /// Returns the value of the attribute of a checked key: `try record.value(Item.name)`.
    ///
    /// - Throws: the errors of ``value(_:as:)``.
    public func value<Kind: AttributeValue>(_ attribute: Attribute<Kind>) throws(StoreError) -> Kind {
        try value(attribute.description.name)
    }

    /// Returns the ID `name`; nil if it is missing.
    ///
    /// - Throws: the errors of ``value(_:as:)``.
    public func objectID(_ name: String = "objectID") throws(StoreError) -> ManagedObjectID? {
        switch self[name] {
        case .objectID(let id): return id
        case .null: return nil
        case nil: throw StoreError(.unknownKey, "\"\(name)\" was not fetched; the dictionary has \(keys.sorted())")
        case let other?: throw StoreError(.wrongType, "\"\(name)\" is \(other), which is not an object's ID")
        }
    }
}
