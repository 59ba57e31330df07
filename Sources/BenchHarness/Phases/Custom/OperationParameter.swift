/// A parameter of a ``StoreOperation``, which a phase sets by its name.
public struct OperationParameter: Sendable {
    /// The type of a parameter's values.
    public enum Kind: String, Sendable {
        /// A whole number.
        case integer = "an integer"
        /// A number.
        case number = "a number"
        /// Text.
        case string = "a string"
        /// True or false.
        case bool = "true or false"
    }

    /// The name, unique among the operation's parameters.
    public let name: String
    /// The type of the values.
    public let kind: Kind
    /// The value if the phase sets none; nil if it must set one.
    let standard: FieldValue?

    /// Creates a parameter that each phase must set.
    public init(_ name: String, _ kind: Kind) {
        self.init(name, kind, nil)
    }

    /// Creates a parameter that is this whole number unless the phase sets it.
    public init(_ name: String, default value: Int) {
        self.init(name, .integer, .int64(Int64(value)))
    }

    /// Creates a parameter that is this number unless the phase sets it.
    public init(_ name: String, default value: Double) {
        self.init(name, .number, .double(value))
    }

    /// Creates a parameter that is this text unless the phase sets it.
    public init(_ name: String, default value: String) {
        self.init(name, .string, .string(value))
    }

    /// Creates a parameter that is true or false unless the phase sets it.
    public init(_ name: String, default value: Bool) {
        self.init(name, .bool, .bool(value))
    }

    private init(_ name: String, _ kind: Kind, _ standard: FieldValue?) {
        self.name = name
        self.kind = kind
        self.standard = standard
    }

    /// Returns the value as one of the parameter's type; nil if it is of another.
    func value(_ value: FieldValue) -> FieldValue? {
        switch (kind, value) {
        case (.integer, .int64), (.number, .double), (.string, .string), (.bool, .bool): value
        case (.number, .int64(let value)): .double(Double(value))
        default: nil
        }
    }
}
