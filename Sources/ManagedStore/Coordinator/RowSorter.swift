import Foundation

/// Sorts rows in memory in exactly SQLite's order.
///
/// Missing values come first. Numbers are ordered by value, strings and data by their bytes, folded if the order
/// demands that. Equal rows stay in the order of their keys.
///
/// Sorting a million rows inside SQLite takes longer than fetching them and responds to a cancellation late. Here the
/// first key becomes a 64-bit number whose unsigned order is the required one. One word combines the 32 bits in which
/// the numbers differ with the row's position. A radix sort orders the words, and only rows with equal bits are
/// compared again.
struct RowSorter {
    private let keys: [SortKey]
    /// The folded strings of the keys that ignore case or diacritics.
    private let folded: [FoldedColumn?]
    private let rows: FetchedRows
    private let control: FetchControl
    /// Whether rows with equal numbers are equal in the whole order. Determining this reads every row.
    private let isDecidedByFirstKey: Bool

    /// Returns the order of `rows` by `sort`; by their keys alone if it is empty.
    ///
    /// - Throws: `StoreError` with `cancelled`.
    static func order(
        _ rows: FetchedRows, by sort: [ResolvedSort], _ layout: RowLayout, _ control: FetchControl
    ) throws(StoreError) -> [UInt32] {
        let keys = sort.map { SortKey($0, layout) }
        let folded = try keys.map { key throws(StoreError) in
            key.options.isEmpty ? nil : try FoldedColumn(rows, key, control)
        }
        let sorter = RowSorter(
            keys: keys, folded: folded, rows: rows, control: control,
            isDecidedByFirstKey: isDecidedByFirst(of: keys, rows))
        return try sort.isEmpty ? sorter.rowsInKeyOrder() : sorter.sorted(sorter.rowsInKeyOrder())
    }

    private static func isDecidedByFirst(of keys: [SortKey], _ rows: FetchedRows) -> Bool {
        guard keys.count == 1, let field = keys.first?.field, field.storage.slotSize <= 8, !field.isArena else {
            return false
        }
        return rows.pages.allSatisfy { page in (0..<page.count).allSatisfy { !field.isNull(in: page.row($0)) } }
    }

    /// Returns the rows at `places`, which are in the order of their keys, in the required order.
    private func sorted(_ places: consuming [UInt32]) throws(StoreError) -> [UInt32] {
        var words = words(places)
        try control.checkCancellation()
        try words.sort(control)
        if !(words.areExact && isDecidedByFirstKey) { try sortTies(&words) }
        return words.places
    }

    private func words(_ places: [UInt32]) -> SortWords {
        let (field, ascending) = (keys[0].field, keys[0].ascending)
        if let folded = folded[0] { return SortWords(places, ascending: ascending) { folded.number($0) } }
        return SortWords(places, ascending: ascending) { place in
            let reference = rows.reference(place)
            return reference.page._withUnsafeGuaranteedRef { Self.number(field, reference.row, $0) }
        }
    }

    /// The sort keeps the order of equal rows, which is to be the order of their keys, as in SQL.
    private func rowsInKeyOrder() -> [UInt32] {
        let places = rows.naturalOrder()
        if areInKeyOrder { return places }
        return places.sorted { rows.reference($0).row.key < rows.reference($1).row.key }
    }

    private var areInKeyOrder: Bool {
        let pages = rows.pages.filter { $0.count > 0 }
        return pages.allSatisfy(\.isAscending)
            && zip(pages, pages.dropFirst()).allSatisfy { $0.keyRange.upperBound < $1.keyRange.lowerBound }
    }

    /// Returns a number that sorts like the value. A later comparison distinguishes missing values, and bytes beyond
    /// the first eight.
    @inline(__always) private static func number(_ field: RowField, _ row: RowPointer, _ page: RowPage) -> UInt64 {
        if field.isNull(in: row) { return 0 }
        switch field.storage {
        case .bit:
            return field.bool(in: row) ? 1 : 0
        case .int64:
            return number(row.load(fromByteOffset: field.offset, as: Int64.self))
        case .double:
            return number(row.load(fromByteOffset: field.offset, as: Double.self))
        case .text, .bytes:
            return number(page.bytes(of: field, of: row))
        case .int16:
            return number(Int64(row.load(fromByteOffset: field.offset, as: Int16.self)))
        case .int32:
            return number(Int64(row.load(fromByteOffset: field.offset, as: Int32.self)))
        case .float:
            return number(Double(row.load(fromByteOffset: field.offset, as: Float.self)))
        case .decimal:
            return number(DecimalNumber(field, of: row).double)
        case .reference:
            return number(row.load(fromByteOffset: field.offset, as: Int64.self))
        case .uuid:
            return UInt64(bigEndian: row.load(fromByteOffset: field.offset, as: UInt64.self))
        }
    }

    /// Returns the first eight bytes as a number, the first byte as the highest.
    @inline(__always) static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<min(8, bytes.count) { number |= UInt64(bytes[index]) << UInt64(56 - 8 * index) }
        return number
    }

    @inline(__always) private static func number(_ integer: Int64) -> UInt64 {
        UInt64(bitPattern: integer) ^ (1 << 63)
    }

    @inline(__always) private static func number(_ double: Double) -> UInt64 {
        // Adding 0 turns -0 into 0; SQLite treats them as equal.
        let bits = (double + 0).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    /// Sorts each run of equal words by all keys; sorts a long run whose numbers have further bits by these bits first.
    private func sortTies(_ words: inout SortWords) throws(StoreError) {
        var start = 0
        while let run = words.nextTie(from: start) {
            if !words.areExact, run.count > Self.longRun {
                words.replace(run, by: try sorted(words.places(run)))
            } else {
                words.sort(run, by: isBefore)
            }
            try control.checkCancellation()
            start = run.upperBound
        }
    }

    private static let longRun = 64

    private func isBefore(_ leftIndex: UInt32, _ rightIndex: UInt32) -> Bool {
        let (left, right) = (rows.reference(leftIndex), rows.reference(rightIndex))
        for (key, folded) in zip(keys, folded) {
            let order =
                folded.map { $0.compare(leftIndex, rightIndex) } ?? Self.compare(left, right, key.field)
            if order != 0 { return (order < 0) == key.ascending }
        }
        return left.row.key < right.row.key
    }

    /// Compares two rows by all keys. Returns a negative number, zero or a positive number.
    static func compare(_ left: RowReference, _ right: RowReference, _ keys: [SortKey]) -> Int {
        for key in keys {
            let order = compare(left, right, key)
            if order != 0 { return order }
        }
        return 0
    }

    /// Compares two rows by one key. Returns a negative number, zero or a positive number.
    @inline(__always) static func compare(_ left: RowReference, _ right: RowReference, _ key: SortKey) -> Int {
        let order =
            key.options.isEmpty ? compare(left, right, key.field) : FoldedColumn.compare(left, right, key)
        return key.ascending ? order : -order
    }

    @inline(__always) private static func compare(
        _ left: RowReference, _ right: RowReference, _ field: RowField
    ) -> Int {
        switch (field.isNull(in: left.row), field.isNull(in: right.row)) {
        case (true, true): return 0
        case (true, false): return -1
        case (false, true): return 1
        case (false, false): break
        }
        switch field.storage {
        case .text, .bytes:
            return left.bytes(field).compare(to: right.bytes(field))
        case .uuid:
            return Int(memcmp(left.row.address + field.offset, right.row.address + field.offset, 16))
        case .decimal:
            return DecimalNumber.order(DecimalNumber(field, of: left.row), DecimalNumber(field, of: right.row))
        default:
            let leftNumber = left.page._withUnsafeGuaranteedRef { number(field, left.row, $0) }
            let rightNumber = right.page._withUnsafeGuaranteedRef { number(field, right.row, $0) }
            return leftNumber < rightNumber ? -1 : leftNumber == rightNumber ? 0 : 1
        }
    }
}

/// One key of an order, resolved to a field of the row.
struct SortKey {
    let field: RowField
    let ascending: Bool
    let options: FetchPredicate.StringOptions

    init(_ sort: ResolvedSort, _ layout: RowLayout) {
        field = layout.fields[sort.position]
        ascending = sort.ascending
        options = sort.options
    }

    /// Compares two rows, either of which may be missing.
    func compare(_ left: RowReference?, _ right: RowReference?) -> Int {
        switch (left, right) {
        case (nil, nil): return 0
        case (let left?, let right?): return RowSorter.compare(left, right, self)
        case (let left?, nil): return field.isNull(in: left.row) ? 0 : ascending ? 1 : -1
        case (nil, let right?): return field.isNull(in: right.row) ? 0 : ascending ? -1 : 1
        }
    }

    init(_ field: RowField, ascending: Bool) {
        self.field = field
        self.ascending = ascending
        options = []
    }
}
