/// A new value for one attribute.
public struct AttributeChange: Sendable, Equatable, Codable {
    /// How the new value comes about.
    public enum Operation: Sendable, Equatable, Codable {
        /// A constant.
        case assign(FieldValue)
        /// The opposite of a bool.
        case toggle
        /// The old number (or date, in seconds) plus this one.
        case add(Double)
    }

    /// The attribute's name.
    public var attribute: String
    /// How its new value comes about.
    public var operation: Operation

    /// Creates a change.
    public init(attribute: String, operation: Operation) {
        self.attribute = attribute
        self.operation = operation
    }
}

extension FieldValue {
    /// The value after a change. Null stays null under every operation but assignment, as in SQL.
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
