/// One entry of the dictionaries that a fetch with ``FetchResultType/dictionary`` hands back: a property, the object's
/// ID, or what a function makes of a property's values.
///
/// ```swift
/// var request = FetchRequest(Purchase.self)
/// request.propertiesToFetch = ["customer", .sum("price", as: "spent"), .count(as: "purchases")]
/// request.propertiesToGroupBy = ["customer"]
/// request.havingPredicate = .compare("spent", .greater, 100.0)
/// for record in try context.fetchDictionaries(request) {
///     print(try record.value("customer", as: String.self), try record.value("spent", as: Double.self))
/// }
/// ```
///
/// Functions pass over missing values.
public struct FetchExpression: Sendable, Hashable {
    /// What is made of many values.
    public enum Function: String, Sendable, CaseIterable {
        /// How many values there are; without a property, how many objects.
        case count
        /// How many different values there are.
        case countDistinct
        /// The sum of numbers, 0 of none. Of integers it is an `integer64`, or the nearest `double` beyond its range;
        /// of doubles and floats the `double` nearest to the exact sum; of decimals a `decimal`.
        case sum
        /// The least value, of the property's own type.
        case min
        /// The greatest value, of the property's own type.
        case max
        /// The mean of numbers: a `decimal` of decimals, a `double` of others.
        case average
    }

    enum Term: Sendable, Hashable {
        case property(String)
        case objectID
        case function(Function, String?)
    }

    /// The key under which the dictionaries have the value.
    public let name: String
    let term: Term

    /// The value of the attribute called `key`, or the ID to which the to-one relationship of that name leads; under
    /// that name, or under another.
    public static func property(_ key: String, as name: String? = nil) -> FetchExpression {
        FetchExpression(name: name ?? key, term: .property(key))
    }

    /// The object's ID.
    public static func objectID(as name: String = "objectID") -> FetchExpression {
        FetchExpression(name: name, term: .objectID)
    }

    /// How many objects there are.
    public static func count(as name: String = "count") -> FetchExpression {
        FetchExpression(name: name, term: .function(.count, nil))
    }

    /// How many values the property called `key` has.
    public static func count(_ key: String, as name: String) -> FetchExpression {
        function(.count, key, as: name)
    }

    /// How many different values the property called `key` has.
    public static func countDistinct(_ key: String, as name: String) -> FetchExpression {
        function(.countDistinct, key, as: name)
    }

    /// The sum of the values of the attribute called `key`.
    public static func sum(_ key: String, as name: String) -> FetchExpression { function(.sum, key, as: name) }

    /// The least value of the attribute called `key`.
    public static func min(_ key: String, as name: String) -> FetchExpression { function(.min, key, as: name) }

    /// The greatest value of the attribute called `key`.
    public static func max(_ key: String, as name: String) -> FetchExpression { function(.max, key, as: name) }

    /// The mean of the values of the attribute called `key`.
    public static func average(_ key: String, as name: String) -> FetchExpression { function(.average, key, as: name) }

    /// What `function` makes of the values of the property called `key`.
    public static func function(_ function: Function, _ key: String, as name: String) -> FetchExpression {
        FetchExpression(name: name, term: .function(function, key))
    }
}

extension FetchExpression: ExpressibleByStringLiteral {
    /// The value of the property called `value`.
    public init(stringLiteral value: String) { self = .property(value) }
}

extension FetchExpression: CustomStringConvertible {
    /// The expression, and its name where that is another.
    public var description: String {
        switch term {
        case .property(let key): key == name ? key : "\(key) as \(name)"
        case .objectID: "objectID as \(name)"
        case .function(let function, let key): "\(function.rawValue)(\(key ?? "")) as \(name)"
        }
    }
}
