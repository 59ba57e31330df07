import Foundation

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
    /// Compares the string of the attribute called `key` with a constant, and ignores case: the folded forms of both
    /// compare, as ``folded(_:)`` makes them. Only the comparisons of ``caseless`` do that.
    case ignoringCase(key: String, Comparison, String)
    /// The value of the attribute called `key` equals one of several constants, none of which is null.
    case oneOf(key: String, [FieldValue])
    /// The value of the attribute called `key` lies between two constants, inclusive, neither of which is null.
    case between(key: String, FieldValue, FieldValue)
    /// The condition holds for at least one of the records that a relationship leads to; its keys name their
    /// attributes.
    case any(relationship: String, FilterSpec)
    /// All conditions hold.
    case and([FilterSpec])
    /// At least one condition holds.
    case or([FilterSpec])
    /// The condition does not hold.
    case not(FilterSpec)
}

extension FilterSpec {
    /// Returns a comparison with another key.
    func renamed(_ key: String) -> FilterSpec {
        switch self {
        case .compare(_, let comparison, let value): .compare(key: key, comparison, value)
        case .ignoringCase(_, let comparison, let text): .ignoringCase(key: key, comparison, text)
        case .oneOf(_, let values): .oneOf(key: key, values)
        case .between(_, let low, let high): .between(key: key, low, high)
        case .any, .and, .or, .not: self
        }
    }

    /// The comparisons that may ignore case.
    public static let caseless: [Comparison] = [.equal, .contains, .beginsWith, .endsWith]

    /// Returns a text in the form that texts which differ only in case have in common: by Unicode's full case folding,
    /// as Foundation does it, so that `STRASSE` and `Straße` are equal. Diacritics stay.
    public static func folded(_ text: String) -> String {
        var text = text
        let ascii = text.withUTF8 { bytes in
            bytes.allSatisfy { $0 < 0x80 }
                ? String(unsafeUninitializedCapacity: bytes.count) { lowered in
                    for (place, byte) in bytes.enumerated() {
                        let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                        lowered.initializeElement(at: place, to: isUpper ? byte | 0x20 : byte)
                    }
                    return bytes.count
                } : nil
        }
        return ascii ?? text.folding(options: .caseInsensitive, locale: nil)
    }

    /// Returns a key by which the condition on a record of the focus looks at changes of other records; nil if it looks
    /// at none.
    ///
    /// - Parameter changed: The attributes and relationships that change in records of the focus.
    func path(toOthers changed: [String], _ schema: Schema) -> String? {
        let inverses = changed.compactMap { schema.relationship($0) }
        return paths.first { path in
            var place: Int? = schema.focus
            return path.split(separator: ".").map(String.init).enumerated().contains { depth, name in
                guard let here = place else { return false }
                place = schema.relationship(name, of: here)?.destination
                return depth > 0 && here == schema.focus && changed.contains(name)
                    || inverses.contains { $0.destination == here && $0.inverse == name }
            }
        }
    }

    /// The keys of the condition, with the relationships to many that they lead through.
    private var paths: [String] {
        switch self {
        case .any(let relationship, let condition): condition.paths.map { "\(relationship).\($0)" }
        case .and(let parts), .or(let parts): parts.flatMap(\.paths)
        case .not(let part): part.paths
        case .compare, .ignoringCase, .oneOf, .between: keys
        }
    }

    /// The attributes that the condition names, apart from those of records that a relationship to many leads to.
    public var keys: [String] {
        switch self {
        case .any: []
        case .compare(let key, _, _), .ignoringCase(let key, _, _), .oneOf(let key, _), .between(let key, _, _): [key]
        case .and(let parts), .or(let parts): parts.flatMap(\.keys)
        case .not(let part): part.keys
        }
    }
}
