import Foundation

/// The type of an attribute's values, with the names of Core Data's types.
public enum AttributeType: String, Sendable, CaseIterable {
    /// UTF-8 text, compared by its bytes.
    case string
    /// True or false.
    case boolean
    /// A point in time, stored as seconds since 2001-01-01 UTC.
    case date
    /// A 16-bit signed integer.
    case integer16
    /// A 32-bit signed integer.
    case integer32
    /// A 64-bit signed integer.
    case integer64
    /// A 64-bit floating-point number. A save rejects NaN.
    case double
    /// A 32-bit floating-point number. A save rejects NaN.
    case float
    /// A decimal number as SQLite's numeric affinity stores it: 64-bit integers and numbers of up to 15 significant
    /// digits exactly, other numbers as the nearest `Double`.
    case decimal
    /// Bytes.
    case binaryData
    /// A UUID, stored as its 16 bytes and ordered by them.
    case uuid
    /// A URL, stored as its absolute string and ordered by that string's bytes.
    case uri
    /// A `Codable` value, stored as the bytes of its JSON; see ``Transformable``.
    case transformable
    /// The ID of an object, which a to-one relationship holds. Attributes cannot have this type.
    case objectID
}
