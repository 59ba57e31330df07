/// Conditions made of conditions.
///
/// They may nest without bound, as a loop makes them. What walks them must not call itself once for each level: a
/// thread's stack is small.
extension FetchPredicate {
    /// What makes one condition of several.
    enum Operation: Sendable {
        /// All of them.
        case and
        /// Any of them.
        case or
        /// The opposite of the only one.
        case not
        /// The only one is of related objects.
        case related(key: String, Quantifier)
    }

    /// A condition made of others.
    final class Branch: Sendable {
        let operation: Operation
        // Unsafe: the parts change in `deinit` alone, when no one else has them.
        nonisolated(unsafe) private(set) var parts: [Node]
        /// How many conditions it is made of, as often as they occur.
        let size: Int
        /// How the parts are joined when negations around them are resolved; nil if they are not.
        let joint: Joint?
        /// How often joints of either kind take turns, from here down.
        let levels: Int
        /// How many relationships lead from the object to the farthest one that is looked at.
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

        /// Lets go of one level after another, where the compiler's way would be to go down into them.
        deinit {
            var released = parts.compactMap(\.branch)
            parts = []
            while var branch = released.popLast() {
                guard isKnownUniquelyReferenced(&branch) else { continue }
                released += branch.parts.compactMap(\.branch)
                branch.parts = []
            }
        }

        /// The parts, and those of parts that are joined in the same way, in their order.
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

    /// Whether all or any of several conditions must be true.
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

    var size: Int { branch?.size ?? 1 }
    var joint: FetchPredicate.Joint? { branch?.joint }
    var levels: Int { branch?.levels ?? 0 }
    var reach: Int { branch?.reach ?? key?.steps ?? 0 }

    /// The keys of all properties of the object itself that the condition is about.
    var keys: [String] {
        var (keys, pending) = ([String](), [self])
        while let node = pending.popLast() {
            if let key = node.key { keys.append(key) } else { pending += (node.branch?.parts ?? []).reversed() }
        }
        return keys
    }
}

extension String {
    /// How many relationships a key path leads through.
    fileprivate var steps: Int { utf8.count { $0 == UInt8(ascii: ".") } }
}

extension Int {
    /// A condition that occurs twice in another, that twice in a third and so on soon occurs more often than can be
    /// counted.
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
