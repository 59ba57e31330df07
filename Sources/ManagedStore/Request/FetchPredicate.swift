import Foundation

/// A condition on objects, evaluated in the store as SQL and in memory by the same rules.
///
/// Written with Foundation's macro for typed classes, or by keys; the two combine:
///
/// ```swift
/// let open = FetchPredicate(#Predicate<Item> { !$0.done && $0.name.contains("milk") })
/// let recent = FetchPredicate.compare("createdAt", .greaterOrEqual, Date(timeIntervalSinceNow: -86_400))
/// request.predicate = open && recent && .string("name", .endsWith, "!", .caseInsensitive)
/// ```
///
/// Strings compare by their UTF-8 bytes, or by their folded form with ``StringOptions``. A missing value equals only
/// nil, and is neither less nor greater than anything.
public struct FetchPredicate: Sendable {
    /// How two values are compared.
    public enum Comparison: String, Sendable, CaseIterable {
        /// The same value, or both missing.
        case equal = "=="
        /// Not the same value.
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
        /// Anywhere in the string; every string contains the empty one.
        case contains = "CONTAINS"
        /// At its beginning.
        case beginsWith = "BEGINSWITH"
        /// At its end.
        case endsWith = "ENDSWITH"
        /// The whole string.
        case matchesWhole = "=="
        /// The whole string, where `?` stands for any one Unicode scalar and `*` for any number of them; a backslash
        /// before one of these, or before another backslash, takes its meaning away.
        case like = "LIKE"
        /// The whole string, by a regular expression as `NSRegularExpression` takes it.
        case matches = "MATCHES"
    }

    /// What is ignored when strings are compared, matched or sorted, by Foundation's folding.
    public struct StringOptions: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: Int
        /// Makes options of their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Upper and lower case are the same, by Unicode's case folding: "Straße" is "STRASSE".
        public static let caseInsensitive = StringOptions(rawValue: 1)
        /// A Latin, Greek or Cyrillic letter is the same with its accents and without: "é" is "e", however it is
        /// composed. What is a letter by itself, such as "ø", and the marks of other scripts are left alone.
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
        case branch(Branch)
    }

    let node: Result<Node, StoreError>

    init(_ node: Node) {
        self.node = .success(node)
    }

    init(_ node: Result<Node, StoreError>) {
        self.node = node
    }

    /// Compares the attribute called `key` with a constant; `options` are for strings.
    public static func compare(
        _ key: String, _ comparison: Comparison, _ value: some AttributeValue, _ options: StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(.compare(key: key, comparison, value.storedValue, options))
    }

    /// Compares the attribute called `key` with a constant of a type known at run time.
    public static func compare(
        _ key: String, _ comparison: Comparison, stored value: StoredValue, _ options: StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(.compare(key: key, comparison, value, options))
    }

    /// Whether the attribute called `key` has a value between two constants, these included; `options` are for strings.
    public static func between<Value: AttributeValue>(
        _ key: String, _ low: Value, and high: Value, _ options: StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(.between(key: key, low.storedValue, high.storedValue, options))
    }

    /// Every object, or none.
    public static func value(_ value: Bool) -> FetchPredicate { FetchPredicate(.constant(value)) }

    /// Whether the attribute called `key` has no value.
    public static func isNil(_ key: String) -> FetchPredicate {
        FetchPredicate(.compare(key: key, .equal, .null))
    }

    /// Whether the to-one relationship called `key` leads to the object with `id`, or with nil nowhere.
    public static func compare(_ key: String, _ comparison: Comparison, _ id: ManagedObjectID?) -> FetchPredicate {
        FetchPredicate(.compare(key: key, comparison, id.map { .objectID($0) } ?? .null))
    }

    /// Matches the string attribute called `key`.
    public static func string(
        _ key: String, _ match: StringMatch, _ value: String, _ options: StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(.match(key: key, match, value, options))
    }

    /// Whether the attribute called `key` has one of `values`; `options` are for strings.
    public static func `in`(
        _ key: String, _ values: [some AttributeValue], _ options: StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(.in(key: key, values.map(\.storedValue), options))
    }

    /// Whether the object is one of those with `ids`; Core Data's `SELF IN`. IDs of other entities or stores match
    /// nothing.
    public static func objectID(in ids: some Sequence<ManagedObjectID>) -> FetchPredicate {
        FetchPredicate(.objectIDs(Array(ids)))
    }

    /// Both.
    public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        combine(left, right) { .and([$0, $1]) }
    }

    /// Either or both.
    public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        combine(left, right) { .or([$0, $1]) }
    }

    /// The opposite.
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
    /// The predicate in Core Data's format language, as near as it goes.
    public var description: String {
        switch node {
        case .success(let node): node.description
        case .failure(let error): "invalid: \(error.message)"
        }
    }
}

extension FetchPredicate.StringOptions: CustomStringConvertible {
    /// The options as the format language writes them, such as `[cd]`; empty without any.
    public var description: String {
        if isEmpty { return "" }
        return "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
    }
}
