import Foundation
import TestSupport

@testable import ManagedStore

/// Random values, predicates and orders over ``Everything``, close enough together that they meet.
struct RandomRows {
    var generator: SeededGenerator

    static let texts = [
        "", "a", "A", "ab", "Ab", "abc", "ABC", "b", "ba", "Straße", "STRASSE", "strasse", "école", "ÉCOLE",
        "e\u{301}cole",
        "İ", "i", "I", "ı", "ΣΑΣ", "σας", "σασ", "\u{10FFFF}", "\u{FFFD}", "z\0a", "z", "中", "abcdefghi", "abcdefghj",
        "%", "_", "e", "E", "é", "ở", "Ο", "ό", "Ё", "е", "\u{301}a", "a\u{301}\u{323}", "한글", "𝔸", "?", "a*", "\\",
        "ｶﾞ",
    ]
    static let wildcards = [
        "*", "?", "a*", "*a", "?b*", "*é*", "*e", "[ab]?", "??*c", "\\?", "*\\*", "*\\", "É*e", "*\u{301}*",
    ]
    static let expressions = [
        ".*", ".", "a.*", "[a-c]+", "(?i)AB.*", "(a|ab)c?", "é.*", "\\w+", "^$", "[^e]*", "\\p{Lu}+.*",
    ]
    /// Letters with their accents before, behind and in them, of one case and of both, of one byte and of four.
    static let scalars = Array(
        "aAeEéÉıİßẞ\u{301}\u{308}\u{345}\u{323}σςΣΐ\u{1FB3}жЖй\u{1EBF}中か\u{3099}ﬁ𝔸\u{10428}\u{10400}\u{0}?*\\ 1"
            .unicodeScalars)
    static let doubles = [0, -0.0, 1, -1, 1.5, .infinity, -.infinity, 1e-300, 1e300, 4_503_599_627_370_497]
    static let integers: [Int64] = [0, 1, -1, 2, .min, .max, 1 << 53, 1 << 53 + 1]
    static let blobs = [
        Data(), Data([0]), Data([0, 0]), Data([255]), Data([1, 2, 3]), Data([1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ]

    static let small: [Int16] = [0, 1, -1, .min, .max]
    static let medium: [Int32] = [0, 1, -1, 40_000, .min, .max]
    static let floats: [Float] = [0, -0.0, 0.1, -1.5, 16_777_216, .infinity, -.infinity, .leastNonzeroMagnitude]
    static let decimals = [
        "0", "0.1", "-0.1", "1", "1.5", "9007199254740993", "9007199254740993.5", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "123456789012.345", "1e-100", "-3e120",
    ].compactMap { Decimal(string: $0) }
    static let identifiers = [
        "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
        "80000000-0000-0000-0000-000000000000", "00000000-0000-0001-FF00-000000000000",
        "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    ].compactMap { UUID(uuidString: $0) }
    static let links = ["about:blank", "https://example.com/", "https://example.com/%C3%A4", "file:///a", "A:b", "a:b"]

    private let backend: Backend

    /// - Parameter backend: A store that must be able to hold the values.
    init(seed: UInt64, for backend: Backend = .sqlite) {
        generator = SeededGenerator(seed: seed)
        self.backend = backend
    }

    mutating func value(_ type: AttributeType) -> StoredValue {
        switch type {
        case .string: .string(text())
        case .boolean: .boolean(generator.oneIn(2))
        case .date: .date(double())
        case .integer64: .integer64(generator.oneIn(6) ? integer() : generator.pick(Self.integers))
        case .double: .double(double())
        case .binaryData: .binaryData(generator.pick(Self.blobs))
        case .integer16: .integer16(generator.pick(Self.small))
        case .integer32: .integer32(generator.pick(Self.medium))
        case .float: .float(generator.pick(Self.floats))
        case .decimal: .decimal(DecimalNumber(generator.pick(Self.decimals)).decimal)
        case .uuid: .uuid(generator.pick(Self.identifiers))
        case .uri: .uri(generator.pick(Self.links))
        case .transformable: .transformable(generator.pick(Self.blobs))
        case .objectID: .null
        }
    }

    /// Mostly one of the few texts that meet, now and then a few random scalars.
    private mutating func text() -> String {
        if !generator.oneIn(4) { return backend.storable(generator.pick(Self.texts)) }
        var text = ""
        for _ in 0..<Int.random(in: 0..<5, using: &generator) {
            text.unicodeScalars.append(generator.pick(Self.scalars))
        }
        return backend.storable(text)
    }

    private mutating func double() -> Double {
        let random = Double(bitPattern: generator.next())
        return generator.oneIn(6) && !random.isNaN ? random : generator.pick(Self.doubles)
    }

    private mutating func integer() -> Int64 {
        Int64(bitPattern: generator.next() >> UInt64.random(in: 0..<64, using: &generator))
    }

    /// Gives every attribute of `object` a random value, or none where it is optional.
    mutating func fill(_ object: ManagedObject) throws {
        for attribute in object.entity.attributes {
            let value = attribute.isOptional && generator.oneIn(3) ? StoredValue.null : value(attribute.attributeType)
            try object.setValue(value, forKey: attribute.name)
        }
    }

    mutating func attribute() -> AttributeDescription {
        generator.pick(Everything.attributes.map(\.description))
    }

    mutating func predicate(depth: Int = 3) -> FetchPredicate {
        if depth > 0, generator.oneIn(2) {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: return predicate(depth: depth - 1) && predicate(depth: depth - 1)
            case 1: return predicate(depth: depth - 1) || predicate(depth: depth - 1)
            default: return !predicate(depth: depth - 1)
            }
        }
        return leaf()
    }

    private mutating func leaf() -> FetchPredicate {
        let attribute = attribute()
        if generator.oneIn(20) { return FetchPredicate(.constant(generator.oneIn(2))) }
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: return FetchPredicate.isNil(attribute.name)
        case 6: return computed(attribute)
        case 1:
            let values = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
                generator.oneIn(6) ? StoredValue.null : value(attribute.attributeType)
            }
            return FetchPredicate(.in(key: attribute.name, values, options(for: attribute)))
        case 2 where attribute.attributeType == .string: return match(attribute)
        case 3:
            let (low, high) = (value(attribute.attributeType), value(attribute.attributeType))
            return FetchPredicate(.between(key: attribute.name, low, high, options(for: attribute)))
        default:
            let value = generator.oneIn(8) ? StoredValue.null : value(attribute.attributeType)
            return .compare(
                attribute.name, generator.pick(FetchPredicate.Comparison.allCases), stored: value,
                options(for: attribute))
        }
    }

    /// Compares an attribute, or what is computed from it, with another one of its type.
    private mutating func computed(_ attribute: AttributeDescription) -> FetchPredicate {
        let type = attribute.attributeType
        let other = generator.pick(Everything.attributes.map(\.description).filter { $0.attributeType == type })
        var left = PredicateValue.key(attribute.name)
        if type.number != nil, type != .date, generator.oneIn(2) {
            var operations: [BatchUpdatePlan.Operator] = [.add, .subtract, .multiply]
            if type != .decimal { operations.append(.divide) }
            if type.isInteger { operations.append(.remainder) }
            left = .arithmetic(generator.pick(operations), left, .stored(value(type)))
        }
        return FetchPredicate(
            .values(left, generator.pick(FetchPredicate.Comparison.allCases), .key(other.name)))
    }

    private mutating func match(_ attribute: AttributeDescription) -> FetchPredicate {
        let match = generator.pick(FetchPredicate.StringMatch.allCases)
        let text =
            switch match {
            case .like: generator.oneIn(2) ? generator.pick(Self.wildcards) : text()
            case .matches: generator.pick(Self.expressions)
            default: text()
            }
        return .string(attribute.name, match, text, options(for: attribute))
    }

    /// What is ignored; nothing but for strings.
    mutating func options(for attribute: AttributeDescription) -> FetchPredicate.StringOptions {
        guard attribute.attributeType == .string else { return [] }
        return FetchPredicate.StringOptions(rawValue: Int.random(in: 0..<4, using: &generator))
    }

    mutating func sort() -> [FetchSortDescriptor] {
        (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
            let attribute = attribute()
            return FetchSortDescriptor(
                key: attribute.name, ascending: generator.oneIn(2), options: options(for: attribute))
        }
    }
}
