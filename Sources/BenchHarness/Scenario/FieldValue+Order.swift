import Foundation

/// The result of comparing two values.
enum ValueOrder: Sendable {
    case less
    case equal
    case greater

    var reversed: ValueOrder {
        switch self {
        case .less: .greater
        case .equal: .equal
        case .greater: .less
        }
    }
}

extension FieldValue {
    /// Returns the order in which stores sort and compare: null first, false before true, strings and data by their
    /// bytes.
    func order(against other: FieldValue) -> ValueOrder {
        switch (self, other) {
        case (.null, .null): .equal
        case (.null, _): .less
        case (_, .null): .greater
        case (.date(let a), .date(let b)), (.double(let a), .double(let b)): Self.order(a, b)
        case (.int64(let a), .int64(let b)): Self.order(a, b)
        case (.bool(let a), .bool(let b)): Self.order(a ? 1 : 0, b ? 1 : 0)
        case (.string(let a), .string(let b)): Self.order(bytes: a, b)
        case (.data(let a), .data(let b)): a.withUnsafeBytes { a in b.withUnsafeBytes { b in Self.order(a, b) } }
        // The audit must find a driver that mixes types wrong; the harness must not crash.
        default: Self.order(typeRank, other.typeRank)
        }
    }

    private var typeRank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .int64: 2
        case .double: 3
        case .date: 4
        case .string: 5
        case .data: 6
        }
    }

    private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> ValueOrder {
        a < b ? .less : a == b ? .equal : .greater
    }

    /// Compares bytes. Swift's own comparison of strings treats canonically equivalent ones as equal; databases do not.
    private static func order(bytes a: String, _ b: String) -> ValueOrder {
        var (a, b) = (a, b)
        return a.withUTF8 { a in
            b.withUTF8 { b in order(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
        }
    }

    private static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> ValueOrder {
        let common = min(a.count, b.count)
        if common > 0, let first = a.baseAddress, let second = b.baseAddress {
            let difference = memcmp(first, second, common)
            if difference != 0 { return difference < 0 ? .less : .greater }
        }
        return order(a.count, b.count)
    }
}
