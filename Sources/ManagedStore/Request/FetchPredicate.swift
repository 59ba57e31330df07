import Foundation

/// A condition on objects, evaluated in the store as SQL and in memory by the same rules.
///
/// Write it with Foundation's macro for typed classes, or with keys. Both forms combine:
///
/// ```swift
/// let open = FetchPredicate(#Predicate<Item> { !$0.done && $0.name.contains("milk") })
/// let recent = FetchPredicate.compare("createdAt", .greaterOrEqual, Date(timeIntervalSinceNow: -86_400))
/// request.predicate = open && recent && .string("name", .endsWith, "!", .caseInsensitive)
/// ```
///
/// Strings are compared by their UTF-8 bytes or, with ``StringOptions``, by their folded form. A missing value equals
/// only nil, and is neither less nor greater than any value.
public struct FetchPredicate: Sendable {
    /// How two values are compared.
    public enum Comparison: String, Sendable, CaseIterable {
        /// Equal values, or both missing.
        case equal = "=="
        /// Different values.
        case notEqual = "!="
        /// Less than.
        case less = "<"
        /// Less than or equal.
        case lessOrEqual = "<="
        /// Greater than.
        case greater = ">"
        /// Greater than or equal.
        case greaterOrEqual = ">="
    }

    /// How a string is matched.
    public enum StringMatch: String, Sendable, CaseIterable {
        /// Occurs in the string; every string contains the empty one.
        case contains = "CONTAINS"
        /// Occurs at the start.
        case beginsWith = "BEGINSWITH"
        /// Occurs at the end.
        case endsWith = "ENDSWITH"
        /// Equals the whole string.
        case matchesWhole = "=="
        /// Matches the whole string. `?` stands for any one Unicode scalar and `*` for any number of them; after a
        /// backslash, `?`, `*` and a backslash stand for themselves.
        case like = "LIKE"
        /// Matches the whole string as a regular expression of `NSRegularExpression`.
        case matches = "MATCHES"
    }

    /// The differences that comparisons, matches and orders of strings ignore, by Foundation's folding.
    public struct StringOptions: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: Int
        /// Makes options of their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Ignores case, by Unicode's case folding: "Straße" equals "STRASSE".
        public static let caseInsensitive = StringOptions(rawValue: 1)
        /// Ignores the accents of Latin, Greek and Cyrillic letters, in composed and decomposed form: "é" equals "e".
        /// Separate letters, such as "ø", and the marks of other scripts stay distinct.
        public static let diacriticInsensitive = StringOptions(rawValue: 2)
    }

    enum Node: Sendable {
        case constant(Bool)
        case compare(key: String, Comparison, StoredValue, StringOptions = [])
        case between(key: String, StoredValue, StoredValue, StringOptions)
        case match(key: String, StringMatch, String, StringOptions)
        case `in`(key: String, [StoredValue], StringOptions = [])
        case objectIDs([ManagedObjectID])
        case count(key: String, Comparison, Int)
        /// Compares values that are computed, or two properties.
        case values(PredicateValue, Comparison, PredicateValue)
        case branch(Branch)
    }

    let node: Result<Node, StoreError>

    init(_ node: Node) {
        self.node = .success(node)
    }

    init(_ node: Result<Node, StoreError>) {
        self.node = node
    }

    /// Compares the attribute `key` with a constant. `options` apply to strings.
    public static func compare(
        _ key: String, _ comparison: Comparison, _ value: some AttributeValue, _ options: StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(.compare(key: key, comparison, value.storedValue, options))
    }

    /// Compares the attribute `key` with a constant of a type known at run time.
    public static func compare(
        _ key: String, _ comparison: Comparison, stored value: StoredValue, _ options: StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(.compare(key: key, comparison, value, options))
    }

    /// Whether the value of the attribute `key` is between two constants, inclusive. `options` apply to strings.
    public static func between<Value: AttributeValue>(
        _ key: String, _ low: Value, and high: Value, _ options: StringOptions = []
    ) -> FetchPredicate {
        .between(key, stored: low.storedValue, and: high.storedValue, options)
    }

    /// Whether the value of the attribute `key` is between two constants of a type known at run time, inclusive.
    public static func between(
        _ key: String, stored low: StoredValue, and high: StoredValue, _ options: StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(.between(key: key, low, high, options))
    }

    /// Matches every object or none.
    public static func value(_ value: Bool) -> FetchPredicate { FetchPredicate(.constant(value)) }

    /// Whether the attribute `key` has no value.
    public static func isNil(_ key: String) -> FetchPredicate {
        FetchPredicate(.compare(key: key, .equal, .null))
    }

    /// Whether the to-one relationship `key` leads to the object with `id` or, for nil, leads nowhere.
    public static func compare(_ key: String, _ comparison: Comparison, _ id: ManagedObjectID?) -> FetchPredicate {
        FetchPredicate(.compare(key: key, comparison, id.map { .objectID($0) } ?? .null))
    }

    /// Matches the string attribute `key`.
    public static func string(
        _ key: String, _ match: StringMatch, _ value: String, _ options: StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(.match(key: key, match, value, options))
    }

    /// Whether the value of the attribute `key` is one of `values`. `options` apply to strings.
    public static func `in`(
        _ key: String, _ values: [some AttributeValue], _ options: StringOptions = []
    ) -> FetchPredicate {
        .in(key, stored: values.map { $0.storedValue }, options)
    }

    /// Whether the value of the attribute `key` is one of `values`, of a type known at run time.
    public static func `in`(_ key: String, stored values: [StoredValue], _ options: StringOptions = [])
        -> FetchPredicate
    {
        FetchPredicate(.in(key: key, values, options))
    }

    /// Whether the ID of the object is one of `ids`, as in Core Data's `SELF IN`. IDs of other entities or stores match
    /// no object.
    public static func objectID(in ids: some Sequence<ManagedObjectID>) -> FetchPredicate {
        // An array is not copied. To copy a slice of one through its type takes longer than to find a few rows.
        let array = ids as? [ManagedObjectID] ?? ids.withContiguousStorageIfAvailable { Array($0) }
        return FetchPredicate(.objectIDs(array ?? Array(ids)))
    }

    /// Whether both conditions hold.
    public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        combine(left, right) { .and([$0, $1]) }
    }

    /// Whether at least one of the conditions holds.
    public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        combine(left, right) { .or([$0, $1]) }
    }

    /// Whether the condition does not hold.
    public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
        FetchPredicate(predicate.node.map { .not($0) })
    }

    private static func combine(
        _ left: FetchPredicate, _ right: FetchPredicate, _ make: (Node, Node) -> Node
    ) -> FetchPredicate {
        FetchPredicate(left.node.flatMap { left in right.node.map { make(left, $0) } })
    }
}

extension FetchPredicate: CustomStringConvertible {
    /// The predicate in Core Data's format language, as closely as possible.
    public var description: String {
        switch node {
        case .success(let node): node.description
        case .failure(let error): "invalid: \(error.message)"
        }
    }
}

extension FetchPredicate.StringOptions: CustomStringConvertible {
    /// The options in the format language, such as `[cd]`; empty without options.
    public var description: String {
        if isEmpty { return "" }
        return "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
    }
}
