/// One entry of the dictionaries that a fetch with ``FetchResultType/dictionary`` returns: a property, the object's ID,
/// or a function of a property's values.
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
/// Functions ignore missing values.
public struct FetchExpression: Sendable, Hashable {
    /// A function of many values.
    public enum Function: String, Sendable, CaseIterable {
        /// The number of values or, without a property, of objects.
        case count
        /// The number of different values.
        case countDistinct
        /// The sum of numbers; 0 if there are none. For integers it is an `integer64`, or the nearest `double` beyond
        /// that range; for doubles and floats the `double` nearest to the exact sum; for decimals a `decimal`.
        case sum
        /// The least value, with the property's type.
        case min
        /// The greatest value, with the property's type.
        case max
        /// The mean of numbers: a `decimal` for decimals, otherwise a `double`.
        case average
    }

    enum Term: Sendable, Hashable {
        case property(String)
        case objectID
        case function(Function, String?)
    }

    /// The key of the value in the dictionaries.
    public let name: String
    let term: Term

    /// The value of the attribute `key`, or the ID that the to-one relationship `key` leads to. Its name is `key`
    /// unless another one is given.
    public static func property(_ key: String, as name: String? = nil) -> FetchExpression {
        FetchExpression(name: name ?? key, term: .property(key))
    }

    /// The object's ID.
    public static func objectID(as name: String = "objectID") -> FetchExpression {
        FetchExpression(name: name, term: .objectID)
    }

    /// The number of objects.
    public static func count(as name: String = "count") -> FetchExpression {
        FetchExpression(name: name, term: .function(.count, nil))
    }

    /// The number of values of the property `key`.
    public static func count(_ key: String, as name: String) -> FetchExpression {
        function(.count, key, as: name)
    }

    /// The number of different values of the property `key`.
    public static func countDistinct(_ key: String, as name: String) -> FetchExpression {
        function(.countDistinct, key, as: name)
    }

    /// The sum of the values of the attribute `key`.
    public static func sum(_ key: String, as name: String) -> FetchExpression { function(.sum, key, as: name) }

    /// The least value of the attribute `key`.
    public static func min(_ key: String, as name: String) -> FetchExpression { function(.min, key, as: name) }

    /// The greatest value of the attribute `key`.
    public static func max(_ key: String, as name: String) -> FetchExpression { function(.max, key, as: name) }

    /// The mean of the values of the attribute `key`.
    public static func average(_ key: String, as name: String) -> FetchExpression { function(.average, key, as: name) }

    /// The result of `function` for the values of the property `key`.
    public static func function(_ function: Function, _ key: String, as name: String) -> FetchExpression {
        FetchExpression(name: name, term: .function(function, key))
    }
}

extension FetchExpression: ExpressibleByStringLiteral {
    /// The value of the property `value`.
    public init(stringLiteral value: String) { self = .property(value) }
}

extension FetchExpression: CustomStringConvertible {
    /// The expression, followed by its name if the name differs.
    public var description: String {
        switch term {
        case .property(let key): key == name ? key : "\(key) as \(name)"
        case .objectID: "objectID as \(name)"
        case .function(let function, let key): "\(function.rawValue)(\(key ?? "")) as \(name)"
        }
    }
}
