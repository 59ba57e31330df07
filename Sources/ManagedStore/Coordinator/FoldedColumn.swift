import Foundation

/// The folded strings of one attribute of many rows, each folded once. A sort compares each string about twenty times.
struct FoldedColumn {
    private var bytes: [UInt8] = []
    /// The end of each row's string, by the row's position among all rows of the pages. A marker denotes a missing
    /// value.
    private var ends: [Int] = []
    /// The number of rows on earlier pages, by page.
    private var starts: [Int] = []

    private static let missing = Int.min

    /// - Throws: `StoreError` with `cancelled`.
    init(_ rows: FetchedRows, _ key: SortKey, _ control: FetchControl) throws(StoreError) {
        for page in rows.pages {
            starts.append(ends.count)
            for index in 0..<page.count { append(page, page.row(index), key) }
            try control.checkCancellation()
        }
    }

    private mutating func append(_ page: RowPage, _ row: RowPointer, _ key: SortKey) {
        if key.field.isNull(in: row) {
            ends.append(bytes.count | Self.missing)
        } else {
            StringFolding.withFolded(page.bytes(of: key.field, of: row), key.options) { bytes.append(contentsOf: $0) }
            ends.append(bytes.count)
        }
    }

    /// Returns a number that sorts like the start of a row's string; 0 for a missing value.
    func number(_ index: UInt32) -> UInt64 {
        withBytes(index) { $0.map { RowSorter.number($0) } ?? 0 }
    }

    /// Returns a negative number, zero or a positive number; a missing value comes first.
    func compare(_ left: UInt32, _ right: UInt32) -> Int {
        withBytes(left) { left in withBytes(right) { Self.compare(left, $0) } }
    }

    private func withBytes<Result>(_ index: UInt32, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        let place = starts[Int(index >> UInt32(RowPage.rowsShift))] + Int(index & UInt32(RowPage.rows - 1))
        if ends[place] < 0 { return body(nil) }
        let start = place == 0 ? 0 : ends[place - 1] & ~Self.missing
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[place]])) }
    }

    /// Compares two rows, folding their strings for this comparison alone.
    static func compare(_ left: RowReference, _ right: RowReference, _ key: SortKey) -> Int {
        withFolded(left, key) { left in withFolded(right, key) { compare(left, $0) } }
    }

    private static func withFolded<Result>(
        _ row: RowReference, _ key: SortKey, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        if key.field.isNull(in: row.row) { return body(nil) }
        return StringFolding.withFolded(row.bytes(key.field), key.options) { body($0) }
    }

    private static func compare(_ left: UnsafeRawBufferPointer?, _ right: UnsafeRawBufferPointer?) -> Int {
        switch (left, right) {
        case (nil, nil): 0
        case (nil, _): -1
        case (_, nil): 1
        case (let left?, let right?): left.compare(to: right)
        }
    }
}
