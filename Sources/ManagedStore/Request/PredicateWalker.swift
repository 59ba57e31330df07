import Foundation

/// An expression of the macro's tree that can be translated.
protocol SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm
}

/// Converts expressions into terms, given the class of the predicate.
struct PredicateWalker {
    /// The meaning of a variable.
    enum Meaning {
        /// An object of a class, at the end of `path`, which ends in a dot.
        case object(ManagedObject.Type, path: String)
        /// What an optional holds.
        case value(PredicateTerm.Outcome)
    }

    var variables: [PredicateExpressions.VariableID: Meaning]
    /// The number of expressions around the current one.
    var depth = 0

    /// The maximum depth. Walking the tree needs a nested call for each level, since every expression has a type of its
    /// own.
    static let depthLimit = 50

    func term(_ expression: Any) throws(StoreError) -> PredicateTerm {
        var walker = self
        walker.depth += 1
        if walker.depth > Self.depthLimit {
            throw StoreError(
                .invalidRequest,
                "a #Predicate is nested deeper than \(Self.depthLimit) expressions; split it, and combine the parts "
                    + "with &&, || and ! of FetchPredicate")
        }
        guard let expressible = expression as? any SQLExpressible else {
            let name = "\(Swift.type(of: expression))".prefix { $0 != "<" }
            throw StoreError(
                .invalidRequest,
                "a predicate with \(name) cannot be translated to SQL; FetchPredicate.init(_:) lists what can be")
        }
        return try expressible.term(walker)
    }

    /// Returns the term of an expression in which a variable stands for something.
    func term(
        _ expression: Any, _ variable: PredicateExpressions.VariableID, is meaning: Meaning
    ) throws(StoreError) -> PredicateTerm {
        var walker = self
        walker.variables[variable] = meaning
        return try walker.term(expression)
    }

    func verdict(_ expression: Any) throws(StoreError) -> PredicateVerdict {
        try term(expression).verdict { outcome throws(StoreError) in try Self.verdict(outcome) }
    }

    private static func verdict(_ outcome: PredicateTerm.Outcome) throws(StoreError) -> PredicateVerdict {
        switch outcome {
        case .verdict(let verdict): return verdict
        case .value(.key(let key)): return PredicateVerdict(.compare(key: key, .equal, .boolean(true)))
        case .value(.stored(.boolean(let value))): return PredicateVerdict(.constant(value))
        case .value(let value):
            throw StoreError(.invalidRequest, "\(value) is not a condition; compare it with a property")
        case .list, .filtered:
            throw StoreError(.invalidRequest, "a list is not a condition; ask whether it contains a property")
        case .nothing:
            throw StoreError(.invalidRequest, "a condition after \"?.\" may be nil; compare it with true or with false")
        }
    }
}

// MARK: - Comparisons

extension PredicateWalker {
    /// Converts a comparison of two values, either of which may be nil.
    func comparison(
        _ left: Any, _ comparison: FetchPredicate.Comparison, _ right: Any
    ) throws(StoreError) -> PredicateTerm {
        let other = try term(right)
        let pairs = try term(left).flatMap { left throws(StoreError) in
            try other.flatMap { right throws(StoreError) in
                PredicateTerm(.verdict(try compare(left, comparison, right)))
            }
        }
        return PredicateTerm(.verdict(try pairs.verdict { outcome throws(StoreError) in try Self.verdict(outcome) }))
    }

    private func compare(
        _ left: PredicateTerm.Outcome, _ comparison: FetchPredicate.Comparison, _ right: PredicateTerm.Outcome
    ) throws(StoreError) -> PredicateVerdict {
        switch (left, right) {
        case (.nothing, let other), (let other, .nothing), (.value(.stored(.null)), let other),
            (let other, .value(.stored(.null))):
            let isNil = PredicateVerdict(other.isNil)
            return comparison == .equal ? isNil : comparison == .notEqual ? !isNil : PredicateVerdict(.constant(false))
        case (.verdict(let verdict), .value(let value)), (.value(let value), .verdict(let verdict)):
            let isSame = try compare(verdict, value)
            return comparison == .equal ? isSame : !isSame
        case (.verdict(let left), .verdict(let right)):
            return comparison == .equal ? left == right : !(left == right)
        case (.value(let left), .value(let right)): return PredicateVerdict(try leaf(left, comparison, right))
        case (.list, _), (_, .list), (.filtered, _), (_, .filtered):
            throw StoreError(.invalidRequest, "a predicate can compare properties and constants, but no lists")
        }
    }

    private func compare(
        _ verdict: PredicateVerdict, _ value: PredicateValue
    ) throws(StoreError) -> PredicateVerdict {
        if case .key(let key) = value {
            // An optional one may be neither.
            let isTrue = FetchPredicate.Node.compare(key: key, .equal, .boolean(true))
            let isFalse = FetchPredicate.Node.compare(key: key, .equal, .boolean(false))
            let same = FetchPredicate.Node.or([.and([isTrue, verdict.holds]), .and([isFalse, verdict.fails])])
            guard verdict.mayFail else { return PredicateVerdict(same) }
            return PredicateVerdict(
                same,
                failing: .and([
                    .or([verdict.holds, verdict.fails]), .not(.and([isTrue, verdict.holds])),
                    .not(.and([isFalse, verdict.fails])),
                ]))
        }
        return verdict == (try Self.verdict(.value(value)))
    }

    /// Returns the comparison of two values. A missing one equals nothing but another missing one.
    func leaf(
        _ left: PredicateValue, _ comparison: FetchPredicate.Comparison, _ right: PredicateValue
    ) throws(StoreError) -> FetchPredicate.Node {
        switch (left, right) {
        case (.stored(let left), .stored(let right)):
            return .constant(ValueComparison.holds(comparison, left, right))
        case (.key(let key), .stored(let value)): return .compare(key: key, comparison, value)
        case (.stored(let value), .key(let key)): return .compare(key: key, comparison.mirrored, value)
        case (.count(let key, nil), .stored(let value)): return try count(key, comparison, value)
        case (.stored(let value), .count(let key, nil)): return try count(key, comparison.mirrored, value)
        default: return .values(left, comparison, right)
        }
    }
}

extension FetchPredicate.Comparison {
    /// The same comparison with the operands exchanged.
    var mirrored: FetchPredicate.Comparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

// MARK: - Strings

extension PredicateWalker {
    func match(
        _ base: Any, _ match: FetchPredicate.StringMatch, _ other: Any, _ options: FetchPredicate.StringOptions = []
    ) throws(StoreError) -> PredicateTerm {
        guard case .value(.stored(.string(let text)))? = try term(other).only else { throw Self.needsStrings(match) }
        return try term(base).flatMap { outcome throws(StoreError) in
            switch outcome {
            case .value(.key(let key)): return PredicateTerm(.match(key: key, match, text, options))
            case .value(.stored(.string(var constant))):
                let test = try TextTest(checking: match, text, options)
                return PredicateTerm(.constant(constant.withUTF8 { test.holds(UnsafeRawBufferPointer($0)) }))
            default: throw Self.needsStrings(match)
            }
        }
    }

    private static func needsStrings(_ match: FetchPredicate.StringMatch) -> StoreError {
        StoreError(.invalidRequest, "\(match.rawValue) needs a string property and a constant string")
    }
}
