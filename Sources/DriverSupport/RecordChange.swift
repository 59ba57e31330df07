import BenchHarness
import Foundation

/// A change of an attribute, resolved to its position, for structs that hold records.
///
/// It is inlined into the drivers, which use it in loops over a million records.
@frozen public struct RecordChange: Sendable {
    /// The attribute's position in the entity.
    public let attribute: Int
    /// The operation on the value.
    public let operation: AttributeChange.Operation

    /// Creates a change.
    @inlinable public init(attribute: Int, operation: AttributeChange.Operation) {
        self.attribute = attribute
        self.operation = operation
    }

    /// Resolves the attributes of `changes` in `entity`.
    ///
    /// - Throws: `RunError` for an unknown name.
    public static func resolve(_ changes: [AttributeChange], of entity: EntitySpec) throws -> [RecordChange] {
        try changes.map { RecordChange(attribute: try entity.position(of: $0.attribute), operation: $0.operation) }
    }

    /// Returns the change of the record with `ordinal`: an assignment of the value that it draws, otherwise the change
    /// itself.
    @inlinable @inline(__always)
    public func forRecord(_ ordinal: Int) -> RecordChange {
        guard case .draw(let draw) = operation else { return self }
        return RecordChange(attribute: attribute, operation: .assign(draw.value(ordinal)))
    }

    /// Returns the error of a change that does not fit an attribute of `type`.
    public func mismatch(_ type: FieldType) -> RunError {
        RunError(.phase, "attribute \(attribute + 1) is a \(type.rawValue): \(operation) does not apply to it")
    }
}

// MARK: - New values

extension RecordChange {
    /// Returns the new bool for `old`.
    @inlinable public func applied(to old: Bool) throws -> Bool {
        switch operation {
        case .assign(.bool(let value)): return value
        case .toggle: return !old
        default: throw mismatch(.bool)
        }
    }

    /// Returns the new number, or the new date in seconds, for `old`.
    @inlinable public func applied(to old: Double, _ type: FieldType) throws -> Double {
        switch operation {
        case .assign(.date(let value)), .assign(.double(let value)): return value
        case .assign(.int64(let value)): return Double(value)
        case .add(let value): return old + value
        default: throw mismatch(type)
        }
    }

    /// Returns the new integer for `old`.
    @inlinable public func applied(to old: Int64) throws -> Int64 {
        switch operation {
        case .assign(.int64(let value)): return value
        case .add(let value):
            guard let step = Int64(exactly: value) else { throw mismatch(.int64) }
            let (sum, overflow) = old.addingReportingOverflow(step)
            if overflow { throw RunError(.phase, "\(old) + \(step) does not fit into 64 bits") }
            return sum
        default: throw mismatch(.int64)
        }
    }

    /// Returns the string of an assignment.
    @inlinable public func assignedString() throws -> String {
        if case .assign(.string(let value)) = operation { return value }
        throw mismatch(.string)
    }
}
