import Foundation

/// The traits of each type for the stores. A new type is added here, in ``AttributeType``, in ``StoredValue`` and as an
/// ``AttributeValue``.
extension AttributeType {
    /// How a row holds the values.
    @inline(__always) var storage: RowStorage {
        switch self {
        case .boolean: .bit
        case .integer16: .int16
        case .integer32: .int32
        case .integer64: .int64
        case .float: .float
        case .double, .date: .double
        case .decimal: .decimal
        case .uuid: .uuid
        case .string, .uri: .text
        case .binaryData, .transformable: .bytes
        case .objectID: .reference
        }
    }

    /// The kind of database column for the values.
    var column: ColumnKind {
        switch self {
        case .boolean: .boolean
        case .integer16, .integer32, .integer64, .objectID: .integer
        case .date: .timestamp
        case .double, .float: .real
        case .decimal: .decimal
        case .string, .uri: .text
        case .binaryData, .uuid, .transformable: .blob
        }
    }

    /// The kind of number that the values represent in limits, expressions and sums; nil for values that are not
    /// numbers.
    var number: NumberKind? {
        switch self {
        case .integer16: .integer(Int16.self)
        case .integer32: .integer(Int32.self)
        case .integer64: .integer(Int64.self)
        case .double: .double
        case .float: .float
        case .decimal: .decimal
        case .date: .time
        case .string, .boolean, .binaryData, .uuid, .uri, .transformable, .objectID: nil
        }
    }

    /// A value that nearly every computed property changes, which distinguishes that property from a stored one. Null
    /// for a type without such a value.
    var probeValue: StoredValue {
        switch self {
        case .string: .string(" qÉ7x ")
        case .boolean: .boolean(true)
        case .date: .date(-123_456.75)
        case .integer16: .integer16(-12_347)
        case .integer32: .integer32(-12_347)
        case .integer64: .integer64(-12_347)
        case .double: .double(-12_347.375)
        case .float: .float(-12_347.375)
        case .decimal: .decimal(Decimal(-12_347))
        case .binaryData: .binaryData(Data([7, 1, 9]))
        case .uuid: .uuid(UUID(uuid: (7, 1, 9, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)))
        case .uri: .uri("probe://q")
        case .transformable, .objectID: .null
        }
    }

    /// Whether the values are integers.
    var isInteger: Bool {
        if case .integer = number { true } else { false }
    }
}

/// A kind of column. The dialect of a database maps it to the name of a type.
enum ColumnKind: Sendable {
    case boolean, integer, timestamp, real, decimal, text, blob
}

/// A kind of number.
enum NumberKind: Sendable, Equatable {
    /// Integers of a range.
    case integer(ClosedRange<Int64>)
    case double
    case float
    case decimal
    /// Points in time, which have limits but no sums.
    case time

    fileprivate static func integer<Number: FixedWidthInteger>(_: Number.Type) -> NumberKind {
        .integer(Int64(Number.min)...Int64(Number.max))
    }
}
