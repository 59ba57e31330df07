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
