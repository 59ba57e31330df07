import Foundation

/// An attribute's value in transit between an object, a predicate and a store.
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
    /// A URL's absolute string as stored, whether or not `URL` accepts it.
    case uri(String)
    /// A ``Transformable``'s JSON.
    case transformable(Data)
    /// The ID of an object.
    case objectID(ManagedObjectID)
    /// The IDs of the objects of a to-many relationship. No attribute has such a value, but
    /// ``ManagedObject/changedValues()`` contains them.
    case objectIDs([ManagedObjectID])
}

// Only this file switches over the cases. Other code switches over `untyped` or over the traits of a type.

extension StoredValue {
    /// The attribute type for such a value; nil for `null`, which any optional attribute can hold, and for `objectIDs`,
    /// which no attribute can.
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

    /// The value as the Swift type of its attribute type; nil for `null` and for text that is not a URL.
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
}

// MARK: - Rows and columns

extension StoredValue {
    /// The value in the form of rows and columns, without its type.
    var untyped: UntypedValue {
        switch self {
        case .null, .objectIDs: .nothing
        case .string(let value), .uri(let value): .text(value)
        case .boolean(let value): .bit(value)
        case .integer16(let value): .integer(Int64(value))
        case .integer32(let value): .integer(Int64(value))
        case .integer64(let value): .integer(value)
        case .double(let value), .date(let value): .real(value)
        case .float(let value): .real(Double(value))
        case .decimal(let value): .decimal(value)
        case .binaryData(let value), .transformable(let value): .bytes(value)
        case .uuid(let value): .uuid(value)
        case .objectID(let value): .reference(value)
        }
    }

    /// Makes the value of an attribute of `type` from its untyped form. A number must be in range.
    init(_ untyped: UntypedValue, _ type: AttributeType) {
        switch (type, untyped) {
        case (.string, .text(let value)): self = .string(value)
        case (.boolean, .bit(let value)): self = .boolean(value)
        case (.date, .real(let value)): self = .date(value)
        case (.integer16, .integer(let value)): self = .integer16(Int16(value))
        case (.integer32, .integer(let value)): self = .integer32(Int32(value))
        case (.integer64, .integer(let value)): self = .integer64(value)
        case (.double, .real(let value)): self = .double(value)
        case (.float, .real(let value)): self = .float(Float(value))
        case (.decimal, .decimal(let value)): self = .decimal(value)
        case (.binaryData, .bytes(let value)): self = .binaryData(value)
        case (.uuid, .uuid(let value)): self = .uuid(value)
        case (.uri, .text(let value)): self = .uri(value)
        case (.transformable, .bytes(let value)): self = .transformable(value)
        case (.objectID, .reference(let value)): self = .objectID(value)
        // Listed by name, so that a type without a case above does not compile.
        case (.string, _), (.boolean, _), (.date, _), (.integer16, _), (.integer32, _), (.integer64, _), (.double, _),
            (.float, _), (.decimal, _), (.binaryData, _), (.uuid, _), (.uri, _), (.transformable, _), (.objectID, _):
            preconditionFailure("a \(type.rawValue) is not kept as \(untyped)")
        }
    }
}

extension RowPage {
    /// The value of `field`.
    func value(of field: RowField, of row: RowPointer) -> StoredValue {
        if field.isNull(in: row) { return .null }
        switch field.type {
        case .string: return .string(String._load(field, of: row, in: self))
        case .boolean: return .boolean(Bool._load(field, of: row, in: self))
        case .date: return .date(Double._load(field, of: row, in: self))
        case .integer64: return .integer64(Int64._load(field, of: row, in: self))
        case .double: return .double(Double._load(field, of: row, in: self))
        case .binaryData: return .binaryData(Data._load(field, of: row, in: self))
        case .integer16: return .integer16(Int16._load(field, of: row, in: self))
        case .integer32: return .integer32(Int32._load(field, of: row, in: self))
        case .float: return .float(Float._load(field, of: row, in: self))
        case .decimal: return .decimal(Decimal._load(field, of: row, in: self))
        case .uuid: return .uuid(UUID._load(field, of: row, in: self))
        case .uri: return .uri(String._load(field, of: row, in: self))
        case .transformable: return .transformable(Data._load(field, of: row, in: self))
        case .objectID: return field.reference(in: row).map { .objectID(source.id(of: $0)) } ?? .null
        }
    }

    /// Writes a value that fits the field's type.
    func setValue(_ value: StoredValue, of field: RowField, of row: RowPointer) {
        switch value {
        case .null, .objectIDs: setNull(field, of: row)
        case .string(let value), .uri(let value): value._store(to: field, of: row, in: self)
        case .boolean(let value): value._store(to: field, of: row, in: self)
        case .date(let value), .double(let value): value._store(to: field, of: row, in: self)
        case .integer64(let value): value._store(to: field, of: row, in: self)
        case .binaryData(let value), .transformable(let value): value._store(to: field, of: row, in: self)
        case .integer16(let value): value._store(to: field, of: row, in: self)
        case .integer32(let value): value._store(to: field, of: row, in: self)
        case .float(let value): value._store(to: field, of: row, in: self)
        case .decimal(let value): value._store(to: field, of: row, in: self)
        case .uuid(let value): value._store(to: field, of: row, in: self)
        case .objectID(let value): field.setReference(source.reference(to: value), of: row)
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
