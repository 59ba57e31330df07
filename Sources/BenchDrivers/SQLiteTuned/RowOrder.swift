import BenchHarness
import Foundation

/// Rows in an order, sorted exactly as in SQLite: numbers by value, texts and blobs by their bytes, nulls first. The
/// sort is stable, so that equal rows stay in the order of their keys.
struct RowOrder {
    private(set) var rows: [UInt32]
    private(set) var isIdentity = true

    init(count: Int) { rows = Array(0..<UInt32(count)) }

    init(_ rows: [UInt32]) { self.rows = rows }

    /// Sorts by one column. `pause` is called every few milliseconds.
    mutating func sort(by column: SortColumn, _ ascending: Bool, _ pause: () throws -> Void) throws {
        let missing = rows.filter(column.isNull)
        let present = missing.isEmpty ? rows : rows.filter { !column.isNull($0) }
        let sorted =
            switch column.type {
            case .bool, .int64, .date, .double: try Self.numbers(present, column, ascending, pause)
            case .string, .data: try Self.bytes(present, column, ascending, pause)
            }
        rows = ascending ? missing + sorted : sorted + missing
        isIdentity = rows.indices.allSatisfy { rows[$0] == UInt32($0) }
    }

    // MARK: Numbers

    private struct Entry {
        var key: UInt64
        var row: UInt32
    }

    private static func numbers(
        _ rows: [UInt32], _ column: SortColumn, _ ascending: Bool, _ pause: () throws -> Void
    ) throws -> [UInt32] {
        let flip: UInt64 = ascending ? 0 : .max
        var entries = rows.map { Entry(key: column.sortKey($0) ^ flip, row: $0) }
        // Records often have the requested order already.
        if zip(entries, entries.dropFirst()).allSatisfy({ $0.key <= $1.key }) { return rows }
        try radixSort(&entries, pause)
        return entries.map(\.row)
    }

    /// Sorts by radix from the least significant byte (Knuth, The Art of Computer Programming 5.2.5). A byte that is
    /// equal in all keys costs nothing, as is common for small integers but not for dates.
    private static func radixSort(_ entries: inout [Entry], _ pause: () throws -> Void) throws {
        let counts = byteCounts(entries)
        var target = entries
        for byte in 0..<8 {
            let counts = counts[byte * 256..<byte * 256 + 256]
            if counts.contains(entries.count) { continue }
            try pause()
            scatter(entries, into: &target, byte, counts)
            swap(&entries, &target)
        }
    }

    /// Returns how often each value of each byte occurs: 8 times 256 counts.
    private static func byteCounts(_ entries: [Entry]) -> [Int] {
        var counts = [Int](repeating: 0, count: 8 * 256)
        counts.withUnsafeMutableBufferPointer { counts in
            for entry in entries {
                for byte in 0..<8 { counts[byte * 256 + digit(byte, of: entry.key)] += 1 }
            }
        }
        return counts
    }

    @inline(__always)
    private static func digit(_ byte: Int, of key: UInt64) -> Int {
        Int(truncatingIfNeeded: key &>> UInt64(byte * 8) & 0xFF)
    }

    private static func scatter(_ source: [Entry], into target: inout [Entry], _ byte: Int, _ counts: ArraySlice<Int>) {
        var next: [Int] = []
        next.reserveCapacity(256)
        var start = 0
        for count in counts {
            next.append(start)
            start += count
        }
        next.withUnsafeMutableBufferPointer { next in
            target.withUnsafeMutableBufferPointer { target in
                for entry in source {
                    let value = digit(byte, of: entry.key)
                    target[next[value]] = entry
                    next[value] += 1
                }
            }
        }
    }

    // MARK: Texts and blobs

    /// The first eight bytes decide most comparisons, so the entry itself holds them.
    private struct Prefixed {
        var prefix: UInt64
        var row: UInt32
        var position: UInt32
    }

    private static func bytes(
        _ rows: [UInt32], _ column: SortColumn, _ ascending: Bool, _ pause: () throws -> Void
    ) throws -> [UInt32] {
        var entries = rows.enumerated().map { position, row in
            Prefixed(prefix: prefix(column.bytes(row)), row: row, position: UInt32(position))
        }
        var comparisons = 0
        try entries.sort { left, right in
            comparisons += 1
            if comparisons & 0xFFFF == 0 { try pause() }
            if left.prefix != right.prefix { return (left.prefix < right.prefix) == ascending }
            let result = compare(column.bytes(left.row), column.bytes(right.row))
            return result == 0 ? left.position < right.position : (result < 0) == ascending
        }
        return entries.map(\.row)
    }

    /// Returns the first eight bytes as a number with the same order.
    private static func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var prefix: UInt64 = 0
        for index in 0..<8 { prefix = prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
        return prefix
    }

    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let common = min(left.count, right.count)
        if common > 0, let first = left.baseAddress, let second = right.baseAddress {
            let result = memcmp(first, second, common)
            if result != 0 { return Int(result) }
        }
        return left.count - right.count
    }
}
