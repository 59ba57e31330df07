import Foundation

/// Taking values in, handing them out, and converting them where nothing is lost.
extension StoredValue {
    /// Takes in a value of unknown type, as `setValue(_:forKey:)` gets it; nil if no attribute could hold it.
    init?(any value: Any?) {
        switch value {
        case nil: self = .null
        case let value as StoredValue: self = value
        case let value as any AttributeValue: self = value.storedValue
        case let value as ManagedObjectID: self = .objectID(value)
        default: return nil
        }
    }

    /// Whether the value is a number or date that is not one.
    var isNaN: Bool {
        switch untyped {
        case .real(let value): value.isNaN
        case .decimal(let value): value.isNaN
        default: false
        }
    }

    /// As `any`.
    ///
    /// - Throws: `StoreError` with `wrongType` for text that is no URL.
    func validAny() throws(StoreError) -> Any? {
        if case .uri = self { return try URL._value(of: self) }
        return any
    }

    /// The value of a whole number of any width.
    var whole: Int64? {
        guard type?.isInteger == true, case .integer(let value) = untyped else { return nil }
        return value
    }

    /// The value fit for an attribute of `type`; nil when it does not fit.
    ///
    /// A whole number serves for any number, if it is in range; a double for a float (rounded) or a decimal, a float
    /// for a double or a decimal; data for a transformable.
    func fitted(to type: AttributeType) -> StoredValue? {
        if self == .null || self.type == type { return self }
        if let whole { return Self.fit(whole, to: type) }
        if case .binaryData(let value) = self { return type == .transformable ? .transformable(value) : nil }
        switch (untyped, self.type?.number, type.number) {
        case (.real, .double, .float), (.real, .float, .double): return StoredValue(untyped, type)
        // By its shortest digits, which differ for a float and the same double.
        case (.real, .double, .decimal), (.real, .float, .decimal):
            return Decimal(string: description).map { StoredValue(.decimal($0), type) }
        default: return nil
        }
    }

    private static func fit(_ whole: Int64, to type: AttributeType) -> StoredValue? {
        switch type.number {
        case .integer(let range): range.contains(whole) ? StoredValue(.integer(whole), type) : nil
        case .double: StoredValue(.real(Double(whole)), type)
        // Rounded once: by way of a double it could be rounded twice.
        case .float: StoredValue(.real(Double(Float(whole))), type)
        case .decimal: StoredValue(.decimal(Decimal(whole)), type)
        case .time, nil: nil
        }
    }

    /// The value fit to be compared with an attribute of `type`: as `fitted(to:)`, but a whole number need not be in
    /// range.
    func comparable(to type: AttributeType) -> StoredValue? {
        if type.isInteger, let whole { return .integer64(whole) }
        return fitted(to: type)
    }
}
