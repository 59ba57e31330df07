/// A condition on records. Strings compare by their UTF-8 bytes.
public indirect enum FilterSpec: Sendable, Equatable, Codable {
    /// How a value is compared.
    public enum Comparison: String, Sendable, Codable, CaseIterable {
        /// The same; null equals null.
        case equal = "=="
        /// Not the same.
        case notEqual = "!="
        /// Before; false with null, as all that follow.
        case less = "<"
        /// Before or the same.
        case lessOrEqual = "<="
        /// After.
        case greater = ">"
        /// After or the same.
        case greaterOrEqual = ">="
        /// A string with the other somewhere in it.
        case contains
        /// A string with the other at its start.
        case beginsWith = "begins_with"
        /// A string with the other at its end.
        case endsWith = "ends_with"
    }

    /// The value of the attribute called `key` stands to a constant in a certain way.
    case compare(key: String, Comparison, FieldValue)
    /// All hold.
    case and([FilterSpec])
    /// At least one holds.
    case or([FilterSpec])
    /// The other does not hold.
    case not(FilterSpec)
}
