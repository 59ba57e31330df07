import Foundation

/// What a predicate asks of a string: a comparison or a match, with the constants folded already.
struct TextTest: Sendable {
    enum Question: Sendable {
        case compare(FetchPredicate.Comparison, String)
        case isOneOf([String])
        case finds(String, StringPlace)
        case isLike(WildcardPattern, String)
        case matches(StringPattern?, String, PatternExcess)
    }

    let question: Question
    /// How the string is folded before it is looked at.
    let options: FetchPredicate.StringOptions
    /// Whether a regular expression ignores case, which is its own affair: it knows classes that folding does not.
    private(set) var patternOptions: FetchPredicate.StringOptions = []

    /// Less than, equal and the like. Not `!=`, which is the opposite of equal.
    init(_ comparison: FetchPredicate.Comparison, _ text: String, _ options: FetchPredicate.StringOptions) {
        question = .compare(comparison, StringFolding.fold(text, options))
        self.options = options
    }

    init(isOneOf texts: [String], _ options: FetchPredicate.StringOptions) {
        question = .isOneOf(texts.map { StringFolding.fold($0, options) })
        self.options = options
    }

    /// A match. A pattern that is not a regular expression matches nothing.
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
            // The empty expression, which Foundation refuses, matches the empty string.
            let pattern = folded.isEmpty ? "(?:)" : folded
            question = .matches(
                StringPattern(pattern, options: ignoresCase ? .caseInsensitive : []), text, PatternExcess(text))
        }
    }

    /// A match.
    ///
    /// - Throws: `StoreError` with `invalidRequest` for a pattern that is not a regular expression.
    init(
        checking match: FetchPredicate.StringMatch, _ text: String, _ options: FetchPredicate.StringOptions
    ) throws(StoreError) {
        self.init(match, text, options)
        if case .matches(nil, _, _) = question {
            throw StoreError(.invalidRequest, "\"\(text)\" is not a regular expression that NSRegularExpression takes")
        }
    }

    /// Whether a string passes.
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

    /// What becomes of a regular expression that takes too many steps; nil without one.
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
    /// Whether the comparison holds of two values with this order.
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
    /// A comparison of the folded string at a position.
    static func folded(
        _ position: Int, _ comparison: FetchPredicate.Comparison, _ value: StoredValue,
        _ options: FetchPredicate.StringOptions
    ) -> ResolvedPredicate {
        guard case .string(let text) = value else { return .compare(position, comparison, value) }
        if comparison == .notEqual { return .not(.text(position, TextTest(.equal, text, options))) }
        return .text(position, TextTest(comparison, text, options))
    }

    /// Whether the folded string at a position is one of several.
    static func folded(
        _ position: Int, _ values: [StoredValue], _ options: FetchPredicate.StringOptions
    ) -> ResolvedPredicate {
        let texts = values.compactMap { value in if case .string(let text) = value { text } else { nil } }
        let known = ResolvedPredicate.text(position, TextTest(isOneOf: texts, options))
        return texts.count == values.count ? known : .or([.compare(position, .equal, .null), known])
    }
}

extension EntityDescription {
    /// Whether `options` say to fold the attribute at a position.
    ///
    /// - Throws: `StoreError` with `wrongType` for an attribute that is no string.
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
