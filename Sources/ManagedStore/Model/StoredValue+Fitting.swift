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
        switch self {
        case .double(let value), .date(let value): value.isNaN
        case .float(let value): value.isNaN
        case .decimal(let value): value.isNaN
        default: false
        }
    }

    /// The value as the Swift type that its attribute type maps to; nil for `null`, and for text that is no URL.
    var any: Any? {
        switch self {
        case .null: nil
        case .string(let value): value
        case .boolean(let value): value
        case .date(let value): Date(timeIntervalSinceReferenceDate: value)
        case .integer16(let value): value
        case .integer32(let value): value
        case .integer64(let value): value
        case .double(let value): value
        case .float(let value): value
        case .decimal(let value): value
        case .binaryData(let value), .transformable(let value): value
        case .uuid(let value): value
        case .uri(let value): URL(string: value)
        case .objectID(let value): value
        case .objectIDs(let values): values
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
        switch self {
        case .integer16(let value): Int64(value)
        case .integer32(let value): Int64(value)
        case .integer64(let value): value
        default: nil
        }
    }

    /// The value fit for an attribute of `type`; nil when it does not fit.
    ///
    /// A whole number serves for any number, if it is in range; a double for a float (rounded) or a decimal, a float
    /// for a double or a decimal; data for a transformable.
    func fitted(to type: AttributeType) -> StoredValue? {
        if self == .null || self.type == type { return self }
        if let whole { return Self.fit(whole, to: type) }
        switch (self, type) {
        case (.double(let value), .float): return .float(Float(value))
        case (.float(let value), .double): return .double(Double(value))
        case (.double(let value), .decimal): return Decimal(string: "\(value)").map { .decimal($0) }
        case (.float(let value), .decimal): return Decimal(string: "\(value)").map { .decimal($0) }
        case (.binaryData(let value), .transformable): return .transformable(value)
        default: return nil
        }
    }

    private static func fit(_ whole: Int64, to type: AttributeType) -> StoredValue? {
        switch type {
        case .integer16: Int16(exactly: whole).map { .integer16($0) }
        case .integer32: Int32(exactly: whole).map { .integer32($0) }
        case .integer64: .integer64(whole)
        case .double: .double(Double(whole))
        case .float: .float(Float(whole))
        case .decimal: .decimal(Decimal(whole))
        default: nil
        }
    }

    /// The value fit to be compared with an attribute of `type`: as `fitted(to:)`, but a whole number need not be in
    /// range.
    func comparable(to type: AttributeType) -> StoredValue? {
        if type.isInteger, let whole { return .integer64(whole) }
        return fitted(to: type)
    }
}
