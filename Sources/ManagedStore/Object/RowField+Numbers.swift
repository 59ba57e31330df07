/// Reads the numbers of a row in any width.
extension RowField {
    /// Returns the value of an integer.
    @inline(__always) func integer(in row: RowPointer) -> Int64 {
        switch storage {
        case .int16: Int64(row.load(fromByteOffset: offset, as: Int16.self))
        case .int32: Int64(row.load(fromByteOffset: offset, as: Int32.self))
        default: row.load(fromByteOffset: offset, as: Int64.self)
        }
    }

    /// Returns the value of a floating-point number.
    @inline(__always) func real(in row: RowPointer) -> Double {
        storage == .float
            ? Double(row.load(fromByteOffset: offset, as: Float.self))
            : row.load(fromByteOffset: offset, as: Double.self)
    }
}
