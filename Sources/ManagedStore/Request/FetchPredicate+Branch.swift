/// Conditions that consist of conditions.
///
/// They can nest without bound, for example if a loop builds them. Code that walks them must not recurse once per
/// level: a thread's stack is small.
extension FetchPredicate {
    /// The operation that combines conditions into one.
    enum Operation: Sendable {
        /// All conditions must hold.
        case and
        /// Any of the conditions must hold.
        case or
        /// The only condition must not hold.
        case not
        /// The only condition applies to related objects.
        case related(key: String, Quantifier)
    }

    /// A condition that consists of other conditions.
    final class Branch: Sendable {
        let operation: Operation
        // Unsafe: the parts only change in `deinit`, when no other thread has them.
        nonisolated(unsafe) private(set) var parts: [Node]
        /// The number of conditions in it, including repeated ones.
        let size: Int
        /// How the parts are joined after surrounding negations are resolved; nil if they are not.
        let joint: Joint?
        /// The number of alternations between the kinds of joints, from here down.
        let levels: Int
        /// The number of relationships from the object to the farthest object that the condition reads.
        let reach: Int

        init(_ operation: Operation, _ parts: [Node]) {
            let joint: Joint?
            switch operation {
            case .and: joint = .and
            case .or: joint = .or
            case .not: joint = parts.first?.joint?.opposite
            case .related: joint = nil
            }
            let levels =
                switch operation {
                case .and, .or: parts.map { $0.joint == joint ? $0.levels : $0.levels + 1 }.max() ?? 1
                case .not: parts.first?.levels ?? 0
                case .related: 0
                }
            let own = if case .related(let key, _) = operation { key.steps + 1 } else { 0 }
            let reach = parts.map(\.reach).max() ?? 0
            (self.operation, self.parts, self.joint, self.levels) = (operation, parts, joint, levels)
            self.reach = own.addingClamped(reach)
            size = parts.reduce(1) { $0.addingClamped($1.size) }
        }

        /// Releases one level after another; the default would recurse into them.
        deinit {
            var released = parts.compactMap(\.branch)
            parts = []
            while var branch = released.popLast() {
                guard isKnownUniquelyReferenced(&branch) else { continue }
                released += branch.parts.compactMap(\.branch)
                branch.parts = []
            }
        }

        /// The parts, with parts of the same joint replaced by their own parts, in order.
        var operands: [Node] {
            var (operands, pending) = ([Node](), Array(parts.reversed()))
            while let part = pending.popLast() {
                switch (operation, part.branch?.operation) {
                case (.and, .and), (.or, .or): pending += (part.branch?.parts ?? []).reversed()
                default: operands.append(part)
                }
            }
            return operands
        }
    }

    /// Whether all or any of several conditions must hold.
    enum Joint: Sendable {
        case and
        case or

        var opposite: Joint { self == .and ? .or : .and }
    }
}

extension FetchPredicate.Node {
    static func and(_ parts: [Self]) -> Self { .branch(FetchPredicate.Branch(.and, parts)) }
    static func or(_ parts: [Self]) -> Self { .branch(FetchPredicate.Branch(.or, parts)) }
    static func not(_ part: Self) -> Self { .branch(FetchPredicate.Branch(.not, [part])) }
    static func related(key: String, _ quantifier: FetchPredicate.Quantifier, _ part: Self) -> Self {
        .branch(FetchPredicate.Branch(.related(key: key, quantifier), [part]))
    }

    var branch: FetchPredicate.Branch? {
        if case .branch(let branch) = self { branch } else { nil }
    }

    var size: Int {
        if case .values(let left, _, let right) = self { return 1.addingClamped(left.size.addingClamped(right.size)) }
        return branch?.size ?? 1
    }
    var joint: FetchPredicate.Joint? { branch?.joint }
    var levels: Int { branch?.levels ?? 0 }
    var reach: Int {
        if case .values(let left, _, let right) = self { return max(left.reach, right.reach) }
        return branch?.reach ?? key?.steps ?? 0
    }

    /// The keys of all properties of the object itself in the condition.
    var keys: [String] {
        var (keys, pending) = ([String](), [self])
        while let node = pending.popLast() {
            if case .values(let left, _, let right) = node { keys += left.keys + right.keys }
            if let key = node.key { keys.append(key) } else { pending += (node.branch?.parts ?? []).reversed() }
        }
        return keys
    }
}

extension String {
    /// The number of relationships in a key path.
    var steps: Int { utf8.count { $0 == UInt8(ascii: ".") } }
}

extension Int {
    /// Clamped, because repeated nesting of one condition doubles the count at each level.
    func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
