import Foundation

/// Values of rows.
extension BinaryBuffer {
    /// Appends a value of a row; `keys` are the keys of new rows in the same save.
    @inline(__always) mutating func append(_ field: RowField, of row: RowReference, _ keys: PermanentKeys) {
        if field.isNull(in: row.row) { return appendNull() }
        switch field.storage {
        case .bit: appendValue(field.bool(in: row.row))
        case .int64: appendValue(row.row.load(fromByteOffset: field.offset, as: Int64.self))
        case .double: appendValue(row.row.load(fromByteOffset: field.offset, as: Double.self))
        case .text, .bytes: appendValue(row.bytes(field))
        case .int16: appendValue(Int64(row.row.load(fromByteOffset: field.offset, as: Int16.self)))
        case .int32: appendValue(Int64(row.row.load(fromByteOffset: field.offset, as: Int32.self)))
        case .float: appendValue(Double(row.row.load(fromByteOffset: field.offset, as: Float.self)))
        case .decimal: appendValue(DecimalNumber(field, of: row.row))
        case .uuid: appendValue(row.row.bytes(at: field.offset, count: 16))
        case .reference: appendReference(field, of: row, keys)
        }
    }

    /// Appends a number, or that there is none.
    mutating func appendNumber(_ number: Int64?) {
        if let number { appendValue(number) } else { appendNull() }
    }

    /// Appends the key that a to-one relationship refers to. An object that was discarded before the save has none.
    private mutating func appendReference(_ field: RowField, of row: RowReference, _ keys: PermanentKeys) {
        let key = field.reference(in: row.row).map { keys.permanent($0.key) } ?? 0
        if key == 0 { appendNull() } else { appendValue(key) }
    }

    /// Appends the number of the entity that a to-one relationship refers to. `numbers` holds those of the model's
    /// entities.
    mutating func appendEntity(_ field: RowField, of row: RowReference, _ keys: PermanentKeys, _ numbers: [Int]) {
        guard let reference = field.reference(in: row.row), keys.permanent(reference.key) != 0 else {
            return appendNull()
        }
        appendValue(Int64(numbers[Int(reference.entity)]))
    }
}
