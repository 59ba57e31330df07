import Foundation

/// A predicate's test of a string: a comparison or a match, with folded constants.
struct TextTest: Sendable {
    enum Question: Sendable {
        case compare(FetchPredicate.Comparison, String)
        case isOneOf([String])
        case finds(String, StringPlace)
        case isLike(WildcardPattern, String)
        case matches(StringPattern?, String, PatternExcess)
    }

    let question: Question
    /// The folding of the string before the test.
    let options: FetchPredicate.StringOptions
    /// The options that a regular expression handles itself. It ignores case on its own, since it has character
    /// classes, which folding does not know.
    private(set) var patternOptions: FetchPredicate.StringOptions = []

    /// Makes a comparison other than `!=`, which is the negation of equal.
    init(_ comparison: FetchPredicate.Comparison, _ text: String, _ options: FetchPredicate.StringOptions) {
        question = .compare(comparison, StringFolding.fold(text, options))
        self.options = options
    }

    init(isOneOf texts: [String], _ options: FetchPredicate.StringOptions) {
        question = .isOneOf(texts.map { StringFolding.fold($0, options) })
        self.options = options
    }

    /// Makes a match. A pattern that is not a regular expression matches no string.
    init(_ match: FetchPredicate.StringMatch, _ text: String, _ options: FetchPredicate.StringOptions) {
        self.options = match == .matches ? options.subtracting(.caseInsensitive) : options
        let folded = StringFolding.fold(text, self.options)
        switch match {
        case .contains: question = .finds(folded, .anywhere)
        case .beginsWith: question = .finds(folded, .beginning)
        case .endsWith: question = .finds(folded, .end)
        case .matchesWhole: question = .compare(.equal, folded)
        case .like: question = .isLike(WildcardPattern(folded), folded)
        case .matches:
            patternOptions = options
            let ignoresCase = options.contains(.caseInsensitive)
            // Foundation rejects the empty expression, which matches the empty string.
            let pattern = folded.isEmpty ? "(?:)" : folded
            question = .matches(
                StringPattern(pattern, options: ignoresCase ? .caseInsensitive : []), text, PatternExcess(text))
        }
    }

    /// Makes a match.
    ///
    /// - Throws: `StoreError` with `invalidRequest` for a pattern that is not a regular expression.
    init(
        checking match: FetchPredicate.StringMatch, _ text: String, _ options: FetchPredicate.StringOptions
    ) throws(StoreError) {
        self.init(match, text, options)
        if case .matches(nil, _, _) = question {
            throw StoreError(
                .invalidRequest, "\"\(text)\" is not a valid expression of NSRegularExpression; correct it")
        }
    }

    /// Whether a string passes the test.
    func holds(_ text: UnsafeRawBufferPointer) -> Bool {
        StringFolding.withFolded(text, options) { text in
            switch question {
            case .compare(let comparison, let other): comparison.holds(Self.order(text, other))
            case .isOneOf(let others): others.contains { Self.order(text, $0) == 0 }
            case .finds(var needle, let place):
                needle.withUTF8 { StringMatching.finds(UnsafeRawBufferPointer($0), place, of: text) }
            case .isLike(let pattern, _): pattern.matches(text)
            case .matches(let pattern, _, let excess): Self.matches(pattern, text, excess)
            }
        }
    }

    /// The record of a regular expression that takes too many steps; nil without a regular expression.
    var excess: PatternExcess? {
        if case .matches(_, _, let excess) = question { excess } else { nil }
    }

    private static func matches(
        _ pattern: StringPattern?, _ text: UnsafeRawBufferPointer, _ excess: PatternExcess
    ) -> Bool {
        guard let pattern, !excess.isNoted else { return false }
        let outcome = pattern.match(String(decoding: text, as: UTF8.self))
        if outcome == .isTooCostly { excess.note() }
        return outcome == .matches
    }

    private static func order(_ text: UnsafeRawBufferPointer, _ other: String) -> Int {
        var other = other
        return other.withUTF8 { text.compare(to: UnsafeRawBufferPointer($0)) }
    }
}

extension FetchPredicate.Comparison {
    /// Whether the comparison holds for two values with this order.
    func holds(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

extension ResolvedPredicate {
    /// Returns a comparison of the folded string at a position.
    static func folded(
        _ position: Int, _ comparison: FetchPredicate.Comparison, _ value: StoredValue,
        _ options: FetchPredicate.StringOptions
    ) -> ResolvedPredicate {
        guard case .string(let text) = value else { return .compare(position, comparison, value) }
        if comparison == .notEqual { return .not(.text(position, TextTest(.equal, text, options))) }
        return .text(position, TextTest(comparison, text, options))
    }

    /// Returns a test whether the folded string at a position is one of several.
    static func folded(
        _ position: Int, _ values: [StoredValue], _ options: FetchPredicate.StringOptions
    ) -> ResolvedPredicate {
        let texts = values.compactMap { value in if case .string(let text) = value { text } else { nil } }
        let known = ResolvedPredicate.text(position, TextTest(isOneOf: texts, options))
        return texts.count == values.count ? known : .or([.compare(position, .equal, .null), known])
    }
}

extension EntityDescription {
    /// Whether `options` demand that the attribute at a position is folded.
    ///
    /// - Throws: `StoreError` with `wrongType` for an attribute that is not a string.
    func folds(_ options: FetchPredicate.StringOptions, at position: Int) throws(StoreError) -> Bool {
        if options.isEmpty { return false }
        if layout.fields[position].type == .string { return true }
        throw notAString(position, "ignoring case or diacritics")
    }

    func notAString(_ position: Int, _ use: String) -> StoreError {
        StoreError(
            .wrongType,
            "\(use) needs a string; \(name).\(fieldNames[position]) is a \(layout.fields[position].type.rawValue)")
    }
}
