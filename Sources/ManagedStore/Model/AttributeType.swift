import Foundation

/// The type of an attribute's values: Core Data's, by its names.
public enum AttributeType: String, Sendable, CaseIterable {
    /// UTF-8 text, compared by its bytes.
    case string
    /// True or false.
    case boolean
    /// A point in time, kept as seconds since 2001-01-01 UTC.
    case date
    /// A 16-bit signed integer.
    case integer16
    /// A 32-bit signed integer.
    case integer32
    /// A 64-bit signed integer.
    case integer64
    /// A 64-bit floating-point number; NaN is refused when it is saved.
    case double
    /// A 32-bit floating-point number; NaN is refused when it is saved.
    case float
    /// A decimal number as SQLite's numeric affinity keeps it: whole numbers of 64 bits and anything of up to 15
    /// significant digits exactly, other numbers as the nearest `Double`.
    case decimal
    /// Bytes.
    case binaryData
    /// A UUID, kept as its 16 bytes and ordered by them.
    case uuid
    /// A URL, kept as its absolute string and ordered by that string's bytes.
    case uri
    /// A `Codable` value, kept as the bytes of its JSON; see ``Transformable``.
    case transformable
    /// The ID of an object: what a to-one relationship holds. No type for an attribute.
    case objectID
}

extension AttributeType {
    /// Whether the values are whole numbers.
    var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }
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
    /// A 16-bit signed integer.
    case integer16(Int16)
    /// A 32-bit signed integer.
    case integer32(Int32)
    /// A 64-bit signed integer.
    case integer64(Int64)
    /// A 64-bit floating-point number.
    case double(Double)
    /// A 32-bit floating-point number.
    case float(Float)
    /// A decimal number.
    case decimal(Decimal)
    /// Bytes.
    case binaryData(Data)
    /// A UUID.
    case uuid(UUID)
    /// A URL's absolute string, as it stands in the store, whether or not it is one that `URL` accepts.
    case uri(String)
    /// A ``Transformable``'s JSON.
    case transformable(Data)
    /// The ID of an object.
    case objectID(ManagedObjectID)
    /// The IDs of the objects that a to-many relationship leads to: no attribute's value, but among
    /// ``ManagedObject/changedValues()``.
    case objectIDs([ManagedObjectID])

    /// The type of attribute that holds such a value; nil for `null`, which any optional attribute holds, and for
    /// `objectIDs`, which none does.
    public var type: AttributeType? {
        switch self {
        case .null, .objectIDs: nil
        case .string: .string
        case .boolean: .boolean
        case .date: .date
        case .integer16: .integer16
        case .integer32: .integer32
        case .integer64: .integer64
        case .double: .double
        case .float: .float
        case .decimal: .decimal
        case .binaryData: .binaryData
        case .uuid: .uuid
        case .uri: .uri
        case .transformable: .transformable
        case .objectID: .objectID
        }
    }
}

extension StoredValue: CustomStringConvertible {
    /// The value as the descriptions of predicates and errors show it.
    public var description: String {
        switch self {
        case .null: "nil"
        case .string(let value), .uri(let value): "\"\(value)\""
        case .boolean(let value): "\(value)"
        case .date(let value): Date(timeIntervalSinceReferenceDate: value).ISO8601Format()
        case .integer16(let value): "\(value)"
        case .integer32(let value): "\(value)"
        case .integer64(let value): "\(value)"
        case .double(let value): "\(value)"
        case .float(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .binaryData(let value), .transformable(let value): "\(value.count) bytes"
        case .uuid(let value): value.uuidString
        case .objectID(let value): value.description
        case .objectIDs(let values): "{\(values.map(\.description).joined(separator: ", "))}"
        }
    }
}
