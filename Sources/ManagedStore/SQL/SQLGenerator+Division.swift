/// What the dialect can say exactly, and what is left to be done with decoded rows.
extension SQLGenerator {
    /// A condition as SQL says it and the rest, which rows that meet it must meet too; nil where there is none.
    struct Division {
        var said: ResolvedPredicate?
        var rest: ResolvedPredicate?
    }

    /// Divides a condition where it is a conjunction. A limit, and a count, are only right where nothing is left.
    func divided(_ predicate: ResolvedPredicate?) -> Division {
        guard let predicate else { return Division() }
        if says(predicate) { return Division(said: predicate) }
        guard case .and(let parts) = predicate else { return Division(rest: predicate) }
        let said = parts.filter(says)
        return Division(said: said.isEmpty ? nil : .and(said), rest: .and(parts.filter { !says($0) }))
    }

    /// Whether the dialect says the condition exactly.
    func says(_ predicate: ResolvedPredicate) -> Bool {
        switch predicate {
        case .constant, .compare, .in, .keys, .count: true
        case .text(_, let test): dialect.says(test)
        case .through(_, let part, _), .related(_, _, let part), .not(let part): says(part)
        case .and(let parts), .or(let parts): parts.allSatisfy(says)
        case .decision(let steps, let otherwise): steps.allSatisfy { says($0.condition) } && says(otherwise)
        }
    }

    /// Whether the dialect orders rows exactly so.
    func says(_ sort: [ResolvedSort]) -> Bool {
        sort.allSatisfy { ($0.path.isEmpty || dialect.allowsCorrelatedQueries) && dialect.folds($0.options) }
    }

    /// Whether the dialect says the whole of a fetch of dictionaries exactly.
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

    /// Whether the dialect says the whole of a batch update exactly.
    func says(_ plan: BatchUpdatePlan) -> Bool {
        let attributes = table.source.entity.attributes
        return plan.rows.predicate.map(says) ?? true
            && plan.assignments.allSatisfy {
                dialect.computes($0.value, as: attributes[$0.position].attributeType)
            }
    }
}
