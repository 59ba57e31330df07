/// A condition on records. Strings compare by their UTF-8 bytes.
public indirect enum FilterSpec: Sendable, Equatable, Codable {
    /// The comparison of a value with a constant.
    public enum Comparison: String, Sendable, Codable, CaseIterable {
        /// Equal; null equals null.
        case equal = "=="
        /// Not equal.
        case notEqual = "!="
        /// Less; false with null, as are all comparisons below.
        case less = "<"
        /// Less or equal.
        case lessOrEqual = "<="
        /// Greater.
        case greater = ">"
        /// Greater or equal.
        case greaterOrEqual = ">="
        /// The string contains the constant.
        case contains
        /// The string begins with the constant.
        case beginsWith = "begins_with"
        /// The string ends with the constant.
        case endsWith = "ends_with"
    }

    /// Compares the value of the attribute called `key` with a constant.
    case compare(key: String, Comparison, FieldValue)
    /// The value of the attribute called `key` equals one of several constants, none of which is null.
    case oneOf(key: String, [FieldValue])
    /// The value of the attribute called `key` lies between two constants, inclusive, neither of which is null.
    case between(key: String, FieldValue, FieldValue)
    /// All conditions hold.
    case and([FilterSpec])
    /// At least one condition holds.
    case or([FilterSpec])
    /// The condition does not hold.
    case not(FilterSpec)
}
