/// What an expression of a predicate amounts to: alternatives, of which at most one applies to an object.
///
/// `$0.note ?? "none"` is the note where there is one, and a constant elsewhere. Conditions on it become a condition
/// for each alternative, so that a store compares properties with constants wherever it can.
struct PredicateTerm {
    /// What an expression can be.
    enum Outcome {
        case nothing
        case value(PredicateValue)
        case verdict(PredicateVerdict)
        /// Several constants.
        case list([StoredValue])
        /// The objects of a to-many relationship that meet a condition.
        case filtered(key: String, FetchPredicate.Node)
    }

    /// An outcome, and when it applies; nil for always.
    struct Alternative {
        let condition: FetchPredicate.Node?
        let outcome: Outcome
    }

    /// The maximum number of alternatives.
    private static let limit = 256

    private(set) var alternatives: [Alternative]
    /// Whether it may be that no alternative applies, since a value is forced that is missing, or a divisor is 0. Such
    /// an object does not match.
    private(set) var mayFail = false

    init(_ outcome: Outcome) {
        alternatives = [Alternative(condition: nil, outcome: outcome)]
    }

    init(_ node: FetchPredicate.Node) {
        self.init(.verdict(PredicateVerdict(node)))
    }

    private init(_ alternatives: [Alternative], mayFail: Bool) {
        (self.alternatives, self.mayFail) = (alternatives, mayFail)
    }

    /// The outcome if it is the same for every object.
    var only: Outcome? {
        !mayFail && alternatives.count == 1 && alternatives[0].condition == nil ? alternatives[0].outcome : nil
    }

    /// Returns the term that applies only where a condition holds; elsewhere it fails.
    func when(_ condition: FetchPredicate.Node) -> PredicateTerm {
        switch condition {
        case .constant(true): return self
        case .constant(false): return PredicateTerm([], mayFail: true)
        default:
            return PredicateTerm(
                alternatives.map { own in
                    Alternative(
                        condition: own.condition.map { .and([condition, $0]) } ?? condition, outcome: own.outcome)
                }, mayFail: true)
        }
    }

    /// Returns a term where a condition holds, and another one where it fails.
    static func when(
        _ condition: PredicateVerdict, _ term: PredicateTerm, otherwise: PredicateTerm
    ) -> PredicateTerm {
        PredicateTerm(
            term.when(condition.holds).alternatives + otherwise.when(condition.fails).alternatives,
            mayFail: condition.mayFail || term.mayFail || otherwise.mayFail)
    }

    /// Returns the term that each outcome leads to.
    func flatMap(
        _ transform: (Outcome) throws(StoreError) -> PredicateTerm
    ) throws(StoreError) -> PredicateTerm {
        var all = PredicateTerm([], mayFail: mayFail)
        for alternative in alternatives {
            let term = try transform(alternative.outcome)
            all.mayFail = all.mayFail || term.mayFail
            all.alternatives += alternative.condition.map { term.when($0).alternatives } ?? term.alternatives
        }
        if all.alternatives.count > Self.limit {
            throw StoreError(
                .invalidRequest,
                "a #Predicate has more than \(Self.limit) combinations of values that may be nil; split it, and combine "
                    + "the parts with &&, || and ! of FetchPredicate")
        }
        return all
    }

    /// Returns the condition that each outcome is, as one.
    func verdict(
        _ transform: (Outcome) throws(StoreError) -> PredicateVerdict
    ) throws(StoreError) -> PredicateVerdict {
        let verdicts = try alternatives.map { alternative throws(StoreError) in
            (alternative.condition, try transform(alternative.outcome))
        }
        if !mayFail, verdicts.count == 1, verdicts[0].0 == nil { return verdicts[0].1 }
        func any(_ part: (PredicateVerdict) -> FetchPredicate.Node) -> FetchPredicate.Node {
            .anyOf(verdicts.map { condition, verdict in .allOf([condition, part(verdict)].compactMap { $0 }) })
        }
        let holds = any(\.holds)
        let mayFail = mayFail || verdicts.contains(where: \.1.mayFail)
        return PredicateVerdict(holds, failing: mayFail ? any(\.fails) : nil)
    }
}

extension PredicateTerm.Outcome {
    /// The condition that the outcome is nil.
    var isNil: FetchPredicate.Node {
        switch self {
        case .nothing, .value(.stored(.null)): .constant(true)
        case .value(.key(let key)): .compare(key: key, .equal, .null)
        case .value, .verdict, .list, .filtered: .constant(false)
        }
    }
}

/// A condition as an expression: when it is true and when it is false. It is neither where it forces a missing value.
struct PredicateVerdict {
    let holds: FetchPredicate.Node
    private let failing: FetchPredicate.Node?

    /// - Parameter failing: When it is false; nil for whenever it is not true.
    init(_ holds: FetchPredicate.Node, failing: FetchPredicate.Node? = nil) {
        (self.holds, self.failing) = (holds, failing)
    }

    var fails: FetchPredicate.Node { failing ?? .negation(of: holds) }
    var mayFail: Bool { failing != nil }

    static prefix func ! (verdict: PredicateVerdict) -> PredicateVerdict {
        PredicateVerdict(verdict.fails, failing: verdict.mayFail ? verdict.holds : nil)
    }

    /// Both conditions, the second of which is not asked where the first one is false.
    static func && (left: PredicateVerdict, right: PredicateVerdict) -> PredicateVerdict {
        let mayFail = left.mayFail || right.mayFail
        return PredicateVerdict(
            .and([left.holds, right.holds]),
            failing: mayFail ? .or([left.fails, .and([left.holds, right.fails])]) : nil)
    }

    /// Either condition, the second of which is not asked where the first one is true.
    static func || (left: PredicateVerdict, right: PredicateVerdict) -> PredicateVerdict {
        if !left.mayFail, !right.mayFail { return PredicateVerdict(.or([left.holds, right.holds])) }
        return PredicateVerdict(
            .or([left.holds, .and([left.fails, right.holds])]), failing: .and([left.fails, right.fails]))
    }

    /// Whether both conditions are true, or both false.
    static func == (left: PredicateVerdict, right: PredicateVerdict) -> PredicateVerdict {
        if case .constant(let value) = right.holds { return value ? left : !left }
        if case .constant(let value) = left.holds { return value ? right : !right }
        let same = FetchPredicate.Node.or([.and([left.holds, right.holds]), .and([left.fails, right.fails])])
        guard left.mayFail || right.mayFail else { return PredicateVerdict(same) }
        return PredicateVerdict(
            same, failing: .or([.and([left.holds, right.fails]), .and([left.fails, right.holds])]))
    }
}

extension FetchPredicate.Node {
    fileprivate static func negation(of node: Self) -> Self {
        switch node {
        case .constant(let value): .constant(!value)
        case .compare(let key, .equal, .null, let options): .compare(key: key, .notEqual, .null, options)
        case .compare(let key, .notEqual, .null, let options): .compare(key: key, .equal, .null, options)
        default: .not(node)
        }
    }

    fileprivate static func allOf(_ nodes: [Self]) -> Self {
        if nodes.contains(where: { $0.isConstant(false) }) { return .constant(false) }
        let nodes = nodes.filter { !$0.isConstant(true) }
        return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .constant(true) : .and(nodes)
    }

    fileprivate static func anyOf(_ nodes: [Self]) -> Self {
        if nodes.contains(where: { $0.isConstant(true) }) { return .constant(true) }
        let nodes = nodes.filter { !$0.isConstant(false) }
        return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .constant(false) : .or(nodes)
    }

    private func isConstant(_ value: Bool) -> Bool {
        if case .constant(value) = self { true } else { false }
    }
}
