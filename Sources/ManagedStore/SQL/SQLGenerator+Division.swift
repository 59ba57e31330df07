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
        let said = parts.filter(says)
        return Division(said: said.isEmpty ? nil : .and(said), rest: .and(parts.filter { !says($0) }))
    }

    /// Whether the dialect expresses the condition exactly.
    func says(_ predicate: ResolvedPredicate) -> Bool {
        switch predicate {
        case .constant, .compare, .in, .keys, .count: true
        case .text(_, let test): dialect.says(test)
        case .through(_, let part, _), .related(_, _, let part), .not(let part): says(part)
        case .and(let parts), .or(let parts): parts.allSatisfy(says)
        case .decision(let steps, let otherwise): steps.allSatisfy { says($0.condition) } && says(otherwise)
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
