import Foundation

/// Sorts rows in memory in exactly SQLite's order: missing values first, numbers by value, strings and data by their
/// bytes, folded where the order says so, equal rows in the order of their keys.
///
/// Sorting a million rows inside SQLite takes longer than fetching them, and hears of a cancellation late. Here the
/// first key becomes a 64-bit number whose unsigned order is the wanted one. The 32 bits by which the numbers differ
/// are put into one word with the row's place, a radix sort orders the words, and only rows that agree in these bits
/// are looked at again.
struct RowSorter {
    private let keys: [SortKey]
    /// The folded strings of those keys that ignore something.
    private let folded: [FoldedColumn?]
    private let rows: FetchedRows
    private let control: FetchControl
    /// Whether rows whose numbers are equal are equal in the whole order. It takes a look at every row.
    private let isDecidedByFirstKey: Bool

    /// The order of `rows` by `sort`.
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
        return try sorter.sorted(sorter.rowsInKeyOrder())
    }

    private static func isDecidedByFirst(of keys: [SortKey], _ rows: FetchedRows) -> Bool {
        let field = keys[0].field
        guard keys.count == 1, field.storage.slotSize <= 8, !field.isArena else { return false }
        return rows.pages.allSatisfy { page in (0..<page.count).allSatisfy { !field.isNull(in: page.row($0)) } }
    }

    /// The rows at `places`, which are in the order of their keys, in the wanted order.
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

    /// Equal rows stay as they stand here, and are to be in the order of their keys, as in SQL.
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

    /// A number that orders as the value does; a missing value, or what follows the first eight bytes, is told apart
    /// later.
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

    /// The first eight bytes, the first of them highest.
    @inline(__always) static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<min(8, bytes.count) { number |= UInt64(bytes[index]) << UInt64(56 - 8 * index) }
        return number
    }

    @inline(__always) private static func number(_ integer: Int64) -> UInt64 {
        UInt64(bitPattern: integer) ^ (1 << 63)
    }

    @inline(__always) private static func number(_ double: Double) -> UInt64 {
        // Adding 0 turns -0 into 0, which SQLite holds equal.
        let bits = (double + 0).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    /// Sorts each run of equal words by all keys; a long one, that is told apart by further bits, by these first.
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

    /// Negative, zero or positive, by all keys.
    static func compare(_ left: RowReference, _ right: RowReference, _ keys: [SortKey]) -> Int {
        for key in keys {
            let order = compare(left, right, key)
            if order != 0 { return order }
        }
        return 0
    }

    /// Negative, zero or positive, by one key.
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

/// One key of an order, found in a row.
struct SortKey {
    let field: RowField
    let ascending: Bool
    let options: FetchPredicate.StringOptions

    init(_ sort: ResolvedSort, _ layout: RowLayout) {
        field = layout.fields[sort.position]
        ascending = sort.ascending
        options = sort.options
    }

    /// The order of two rows, of which one or both may not be there.
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
