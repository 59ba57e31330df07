import Foundation

extension Int16: FixedWidthValue {
    /// `.integer16`
    public static var attributeType: AttributeType { .integer16 }
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { .integer16(self) }
}

extension Int32: FixedWidthValue {
    /// `.integer32`
    public static var attributeType: AttributeType { .integer32 }
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { .integer32(self) }
}

/// `Int` is another name for `Int64` here: both have the type `.integer64`.
extension Int: AttributeValue {
    /// `.integer64`
    public static var attributeType: AttributeType { .integer64 }
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { .integer64(Int64(self)) }
    /// Reads eight bytes.
    @inlinable public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> Int {
        Int(truncatingIfNeeded: row.load(fromByteOffset: field.offset, as: Int64.self))
    }
    /// Writes eight bytes.
    @inlinable public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        Int64(self)._store(to: field, of: row, in: page)
    }
}

extension Float: FixedWidthValue {
    /// `.float`
    public static var attributeType: AttributeType { .float }
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { .float(self) }
}

/// Stored in SQLite's form: 64-bit integers and numbers of up to 15 significant digits exactly, others as the nearest
/// `Double`. Setting a value converts it, so that saving does not change it.
extension Decimal: AttributeValue {
    /// `.decimal`
    public static var attributeType: AttributeType { .decimal }
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { .decimal(self) }
    /// Makes a decimal of the stored integer or double.
    public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> Decimal {
        DecimalNumber(field, of: row).decimal
    }
    /// Writes the integer or double nearest to the value.
    public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        field.setNull(false, of: row)
        DecimalNumber(self).store(to: field, of: row)
    }
}
