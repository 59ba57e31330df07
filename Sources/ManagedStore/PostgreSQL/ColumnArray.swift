import Foundation

/// The values of a column of several rows, as one parameter: an array in the server's binary form.
struct ColumnArray {
    let type: ServerType
    private var buffer = BinaryBuffer()
    private(set) var count = 0

    /// The offset of the number of values: after the number of dimensions, the mark that values may be NULL, and the
    /// type.
    private static let countOffset = 12

    init(_ type: ServerType) {
        self.type = type
        buffer.append(1 as Int32)
        buffer.append(1 as Int32)
        buffer.append(type.rawValue)
        buffer.append(0 as Int32)
        buffer.append(1 as Int32)
    }

    /// Appends what `write` appends to the buffer, which is one value.
    @inline(__always) mutating func append(_ write: (inout BinaryBuffer) -> Void) {
        write(&buffer)
        count += 1
    }

    mutating func append(_ number: Int64) { append { $0.appendValue(number) } }

    /// The bytes of the parameter. There must be values.
    var bytes: [UInt8] {
        var whole = buffer
        whole.replace(at: Self.countOffset, with: Int32(count))
        return whole.bytes
    }
}

extension ColumnArray {
    init(_ keys: some Sequence<Int64>) {
        self.init(.bigint)
        for key in keys { append(key) }
    }
}

extension QueryParameters {
    /// Appends arrays, one parameter each.
    init(_ arrays: [ColumnArray]) {
        self.init()
        for array in arrays { append(array) }
    }

    mutating func append(_ array: ColumnArray) { append(array.bytes, arrayOf: array.type) }
}
