import Foundation

/// The type of an attribute's values.
public enum AttributeType: String, Sendable, CaseIterable {
    /// UTF-8 text, compared by its bytes.
    case string
    /// True or false.
    case boolean
    /// A point in time, kept as seconds since 2001-01-01 UTC.
    case date
    /// A 64-bit signed integer.
    case integer64
    /// A 64-bit floating-point number; NaN is refused when it is saved.
    case double
    /// Bytes.
    case binaryData
}

/// An attribute's value on its way between an object, a predicate and a store.
public enum StoredValue: Sendable, Hashable {
    /// No value.
    case null
    /// Text.
    case string(String)
    /// True or false.
    case boolean(Bool)
    /// Seconds since 2001-01-01 UTC.
    case date(Double)
    /// A 64-bit signed integer.
    case integer64(Int64)
    /// A 64-bit floating-point number.
    case double(Double)
    /// Bytes.
    case binaryData(Data)

    /// The type of attribute that holds such a value; nil for `null`, which any optional attribute holds.
    public var type: AttributeType? {
        switch self {
        case .null: nil
        case .string: .string
        case .boolean: .boolean
        case .date: .date
        case .integer64: .integer64
        case .double: .double
        case .binaryData: .binaryData
        }
    }
}

extension StoredValue {
    /// Takes in a value of unknown type, as `setValue(_:forKey:)` gets it; nil if no attribute could hold it.
    init?(any value: Any?) {
        switch value {
        case nil: self = .null
        case let value as StoredValue: self = value
        case let value as any AttributeValue: self = value.storedValue
        case let value as Int: self = .integer64(Int64(value))
        default: return nil
        }
    }

    /// Whether the value is a number or date that is not one.
    var isNaN: Bool {
        switch self {
        case .double(let value), .date(let value): value.isNaN
        default: false
        }
    }

    /// The value as the Swift type that its attribute type maps to; nil for `null`.
    var any: Any? {
        switch self {
        case .null: nil
        case .string(let value): value
        case .boolean(let value): value
        case .date(let value): Date(timeIntervalSinceReferenceDate: value)
        case .integer64(let value): value
        case .double(let value): value
        case .binaryData(let value): value
        }
    }

    /// The value fit for an attribute of `type`: an integer serves where a double is wanted; nil when it does not fit.
    func fitted(to type: AttributeType) -> StoredValue? {
        switch (self, type) {
        case (.null, _): return self
        case (.integer64(let value), .double): return .double(Double(value))
        default: return self.type == type ? self : nil
        }
    }
}

extension StoredValue: CustomStringConvertible {
    /// The value as the descriptions of predicates and errors show it.
    public var description: String {
        switch self {
        case .null: "nil"
        case .string(let value): "\"\(value)\""
        case .boolean(let value): "\(value)"
        case .date(let value): Date(timeIntervalSinceReferenceDate: value).ISO8601Format()
        case .integer64(let value): "\(value)"
        case .double(let value): "\(value)"
        case .binaryData(let value): "\(value.count) bytes"
        }
    }
}
