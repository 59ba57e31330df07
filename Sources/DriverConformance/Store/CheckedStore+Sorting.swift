import BenchHarness

extension CheckedStore {
    /// The ordinals below `count` in the order of an attribute; where two records have it alike, the order is open.
    func ordinals(_ count: Int, sortedBy key: String, ascending: Bool) -> [Int] {
        let keys = keys(count, key)
        return (0..<count).sorted { (keys[$0] < keys[$1]) == ascending && keys[$0] != keys[$1] }
    }

    /// The records with the ordinals below `count` in the order of an attribute; those that have it alike in any order.
    func expected(_ count: Int, sortedBy key: String, ascending: Bool) -> ExpectedRecords {
        let keys = keys(count, key)
        var expected = ExpectedRecords()
        var previous: Int?
        for ordinal in ordinals(count, sortedBy: key, ascending: ascending) {
            let values = entity.attributes.indices.map { records.value($0, ordinal) }
            expected.append("record \(ordinal)", values, isTied: previous.map { keys[$0] == keys[ordinal] } ?? false)
            previous = ordinal
        }
        return expected
    }

    private func keys(_ count: Int, _ name: String) -> [SortableValue] {
        let attribute = entity.index(of: name) ?? 0
        return (0..<count).map { SortableValue(records.value(attribute, $0)) }
    }
}

/// A value with the harness's order, in the simplest form: null is 0 or an empty text, which no attribute with nulls
/// has otherwise.
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
