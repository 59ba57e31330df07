/// Divides requests into the part that the dialect expresses exactly, and the part that is evaluated on decoded rows.
extension SQLGenerator {
    /// The part of a condition in SQL, and the rest, which the rows found must meet as well. Either is nil if it is
    /// empty.
    struct Division {
        var said: ResolvedPredicate?
        var rest: ResolvedPredicate?
    }

    /// Divides a conjunction; other conditions stay whole. Limits and counts in SQL are only correct without a rest.
    func divided(_ predicate: ResolvedPredicate?) -> Division {
        guard let predicate else { return Division() }
        if says(predicate) { return Division(said: predicate) }
        guard case .and(let parts) = predicate else { return Division(rest: predicate) }
        var (said, rest, room) = ([ResolvedPredicate](), [ResolvedPredicate](), dialect.conditionLimit)
        for part in parts {
            if says(part), let left = part.room(in: room) {
                said.append(part)
                room = left
            } else {
                rest.append(part)
            }
        }
        return Division(said: said.isEmpty ? nil : .and(said), rest: rest.isEmpty ? nil : .and(rest))
    }

    /// Whether the dialect expresses the condition exactly, and a statement may contain all of it.
    func says(_ predicate: ResolvedPredicate) -> Bool {
        saysParts(predicate) && predicate.room(in: dialect.conditionLimit) != nil
    }

    func saysParts(_ predicate: ResolvedPredicate) -> Bool {
        switch predicate {
        case .constant, .keys, .count: true
        case .values(let left, _, let right): says(left) && says(right)
        case .compare(_, _, let value): dialect.says(value)
        case .in(_, let values): values.allSatisfy(dialect.says)
        case .text(_, let test): dialect.says(test)
        case .through(_, let part, _), .related(_, _, let part), .not(let part): saysParts(part)
        case .and(let parts), .or(let parts): parts.allSatisfy(saysParts)
        case .decision(let steps, let otherwise):
            steps.allSatisfy { saysParts($0.condition) } && saysParts(otherwise)
        }
    }

    /// Whether the dialect orders rows in exactly this way.
    func says(_ sort: [ResolvedSort]) -> Bool {
        sort.allSatisfy { ($0.path.isEmpty || dialect.allowsCorrelatedQueries) && dialect.folds($0.options) }
    }

    /// Whether the dialect expresses the whole fetch of dictionaries exactly.
    func says(_ plan: DictionaryPlan) -> Bool {
        let conditions = [plan.rows.predicate, plan.having].compactMap { $0 }
        return conditions.allSatisfy(says) && says(plan.sort) && plan.columns.allSatisfy(says)
    }

    private func says(_ column: DictionaryPlan.Column) -> Bool {
        switch column.term {
        case .related: dialect.allowsCorrelatedQueries
        case .aggregate(.sum, let position?), .aggregate(.average, let position?):
            dialect.adds(NumberSum.Kind(table.source.entity.layout.fields[position].type))
        case .field, .objectID, .aggregate: true
        }
    }

    /// Whether the dialect expresses the whole batch update exactly.
    func says(_ plan: BatchUpdatePlan) -> Bool {
        let attributes = table.source.entity.attributes
        return plan.rows.predicate.map(says) ?? true
            && plan.assignments.allSatisfy {
                dialect.computes($0.value, as: attributes[$0.position].attributeType)
            }
    }
}

extension ResolvedPredicate {
    /// What a condition on related rows weighs in a planner: that of as many conditions on the row itself.
    private static let relatedWeight = 100

    /// Returns what is left of `room`, a number of conditions, after this one; nil if it does not fit in.
    fileprivate func room(in room: Int) -> Int? {
        if room == .max { return room }
        guard room > 0 else { return nil }
        switch self {
        case .constant, .compare, .in, .keys, .text: return room - 1
        case .values:
            let weight = followsRelationships ? Self.relatedWeight : 1
            return room > weight ? room - weight : nil
        case .not(let part): return part.room(in: room - 1)
        case .through(_, let part, _), .related(_, _, let part): return part.room(in: room - Self.relatedWeight)
        case .count: return room > Self.relatedWeight ? room - Self.relatedWeight : nil
        case .and(let parts), .or(let parts): return Self.room(in: room, parts)
        case .decision(let steps, let otherwise):
            return Self.room(in: room, steps.lazy.map(\.condition)).flatMap { otherwise.room(in: $0) }
        }
    }

    private static func room(in room: Int, _ parts: some Sequence<ResolvedPredicate>) -> Int? {
        var left = room
        for part in parts {
            guard let next = part.room(in: left) else { return nil }
            left = next
        }
        return left
    }
}
