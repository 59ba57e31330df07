/// Records by their keys, which are read in slices that follow one another.
@usableFromInline package struct KeyedRecords<Key: Hashable, Record> {
    @usableFromInline var records: [Key: Record] = [:]
    /// Where the last slice ended. The next one goes on there: to search each from the beginning would take a time that
    /// grows with the square of their number.
    @usableFromInline var end: (position: Int, index: Dictionary<Key, Record>.Index)?

    @inlinable package init() {}

    @inlinable package var count: Int { records.count }

    /// The record with a key; nil removes it.
    @inlinable package subscript(key: Key) -> Record? {
        get { records[key] }
        set {
            records[key] = newValue
            end = nil
        }
    }

    /// Calls `body` with the records at `positions`, in an order that stays the same until a record is set or removed.
    @inlinable package mutating func forEach(at positions: Range<Int>, _ body: (Record) -> Void) {
        let known = end.flatMap { $0.position == positions.lowerBound ? $0.index : nil }
        var index = known ?? records.index(records.startIndex, offsetBy: positions.lowerBound)
        for _ in positions {
            body(records[index].value)
            records.formIndex(after: &index)
        }
        end = (positions.upperBound, index)
    }
}
