import Foundation

/// Converting values from and to Swift types, and between attribute types without loss.
extension StoredValue {
    /// Converts a value of unknown type, an argument of `setValue(_:forKey:)`; nil if no attribute could hold it.
    init?(any value: Any?) {
        switch value {
        case nil: self = .null
        case let value as StoredValue: self = value
        case let value as any AttributeValue: self = value.storedValue
        case let value as ManagedObjectID: self = .objectID(value)
        default: return nil
        }
    }

    /// Whether the value is a number or date that is NaN.
    var isNaN: Bool {
        switch untyped {
        case .real(let value): value.isNaN
        case .decimal(let value): value.isNaN
        default: false
        }
    }

    /// Returns the same value as `any`.
    ///
    /// - Throws: `StoreError` with `wrongType` for text that is not a URL.
    func validAny() throws(StoreError) -> Any? {
        if case .uri = self { return try URL._value(of: self) }
        return any
    }

    /// The value of an integer of any width.
    var whole: Int64? {
        guard type?.isInteger == true, case .integer(let value) = untyped else { return nil }
        return value
    }

    /// Returns the value in the form of an attribute of `type`; nil if it does not fit.
    ///
    /// An integer in range fits any number; a double fits a float (rounded) or a decimal, a float fits a double or a
    /// decimal, data fits a transformable.
    func fitted(to type: AttributeType) -> StoredValue? {
        if self == .null || self.type == type { return self }
        if let whole { return Self.fit(whole, to: type) }
        if case .binaryData(let value) = self { return type == .transformable ? .transformable(value) : nil }
        switch (untyped, self.type?.number, type.number) {
        case (.real, .double, .float), (.real, .float, .double): return StoredValue(untyped, type)
        // Through its shortest digits, which differ between a float and the same double.
        case (.real, .double, .decimal), (.real, .float, .decimal):
            return Decimal(string: description).map { StoredValue(.decimal($0), type) }
        default: return nil
        }
    }

    private static func fit(_ whole: Int64, to type: AttributeType) -> StoredValue? {
        switch type.number {
        case .integer(let range): range.contains(whole) ? StoredValue(.integer(whole), type) : nil
        case .double: StoredValue(.real(Double(whole)), type)
        // Rounded once; a conversion through a double could round twice.
        case .float: StoredValue(.real(Double(Float(whole))), type)
        case .decimal: StoredValue(.decimal(Decimal(whole)), type)
        case .time, nil: nil
        }
    }

    /// Returns the value in a form for comparisons with an attribute of `type`, as `fitted(to:)` does; integers out of
    /// range are accepted as well.
    func comparable(to type: AttributeType) -> StoredValue? {
        if type.isInteger, let whole { return .integer64(whole) }
        return fitted(to: type)
    }
}
