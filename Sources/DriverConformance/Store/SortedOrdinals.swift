import BenchHarness

extension CheckedStore {
    /// The ordinals below `count` in the order of an attribute, equal ones in their own.
    func ordinals(_ count: Int, sortedBy key: String, ascending: Bool) -> [Int] {
        let attribute = entity.index(of: key) ?? 0
        let keys = (0..<count).map { SortableValue(records.value(attribute, $0)) }
        return (0..<count).sorted { left, right in
            if keys[left] == keys[right] { return left < right }
            return (keys[left] < keys[right]) == ascending
        }
    }
}

/// A value that orders as the harness orders it, written as plainly as can be: a missing one as 0 or as an empty text,
/// which no attribute has beside missing ones.
private struct SortableValue: Comparable {
    private let number: Double
    private let bytes: [UInt8]

    init(_ value: FieldValue) {
        switch value {
        case .null: (number, bytes) = (0, [])
        case .bool(let value): (number, bytes) = (value ? 1 : 0, [])
        case .int64(let value): (number, bytes) = (Double(value), [])
        case .date(let value), .double(let value): (number, bytes) = (value, [])
        case .string(let value): (number, bytes) = (0, Array(value.utf8))
        case .data(let value): (number, bytes) = (0, Array(value))
        }
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.number != right.number { return left.number < right.number }
        return left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
