/// A number with the same bytes in an object's row as in memory: `Int16`, `Int32`, `Int64`, `Float` and `Double`.
public protocol FixedWidthValue: AttributeValue, BitwiseCopyable {}

extension FixedWidthValue {
    /// True.
    @inlinable public static var _isOfFixedSize: Bool { true }
    /// Reads the bytes of the value.
    @inlinable public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> Self {
        row.load(fromByteOffset: field.offset, as: Self.self)
    }
    /// Writes the bytes of the value.
    @inlinable public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        field.setNull(false, of: row)
        row.storeBytes(of: self, toByteOffset: field.offset, as: Self.self)
    }
}
