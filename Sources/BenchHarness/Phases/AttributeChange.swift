/// A new value for one attribute.
public struct AttributeChange: Sendable, Equatable, Codable {
    /// The operation that makes the new value.
    public enum Operation: Sendable, Equatable, Codable {
        /// Sets a constant.
        case assign(FieldValue)
        /// Inverts a bool.
        case toggle
        /// Adds this number to the old number (or to the old date, in seconds).
        case add(Double)
        /// Draws a value for each record; only in an update whose mode knows the record.
        indirect case draw(AttributeDraw)
    }

    /// The attribute's name.
    public var attribute: String
    /// The operation that makes the new value.
    public var operation: Operation

    /// Creates a change.
    public init(attribute: String, operation: Operation) {
        self.attribute = attribute
        self.operation = operation
    }
}

extension FieldValue {
    /// Returns the value after a change of the record with `ordinal`. Null stays null under every operation except
    /// assignment and drawing, as in SQL.
    public func after(_ operation: AttributeChange.Operation, ordinal: Int) -> FieldValue {
        if case .draw(let draw) = operation { return draw.value(ordinal) }
        return after(operation)
    }

    /// Returns the value after a change. Null stays null under every operation except assignment, as in SQL.
    /// - Precondition: The operation draws no value, for which it takes the ordinal: ``after(_:ordinal:)``.
    public func after(_ operation: AttributeChange.Operation) -> FieldValue {
        switch (operation, self) {
        case (.assign(let value), _): value
        case (_, .null): .null
        case (.toggle, .bool(let value)): .bool(!value)
        case (.add(let amount), .int64(let value)): .int64(value &+ Int64(amount))
        case (.add(let amount), .double(let value)): .double(value + amount)
        case (.add(let amount), .date(let value)): .date(value + amount)
        default: preconditionFailure("\(operation) does not fit the value \(self)")
        }
    }
}
