/// Checks on attributes whose values may lie in separate files, which SQL cannot read.
extension SQLiteStore {
    /// - Throws: `StoreError` with `invalidRequest` for a condition or an order on such an attribute.
    func checkExternals(_ plan: FetchPlan) throws(StoreError) {
        guard hasExternals else { return }
        if let predicate = plan.predicate { try check(predicate, plan.source.entityIndex) }
        for sort in plan.sort {
            try check(sort.position, sort.path.last?.destination ?? plan.source.entityIndex)
        }
    }

    /// - Throws: `StoreError` with `invalidRequest` for dictionaries with the values of such an attribute.
    func checkExternals(_ plan: DictionaryPlan) throws(StoreError) {
        guard hasExternals else { return }
        try checkExternals(plan.rows)
        let entity = plan.rows.source.entityIndex
        for column in plan.columns {
            switch column.term {
            case .field(let position): try check(position, entity)
            case .related(let path, let position): try check(position, path.last?.destination ?? entity)
            case .aggregate(_, let position?): try check(position, entity)
            default: continue
            }
        }
    }

    private func check(_ predicate: ResolvedPredicate, _ entity: Int) throws(StoreError) {
        switch predicate {
        case .compare(_, _, .null): return
        case .compare(let position, _, _), .in(let position, _): try check(position, entity)
        case .through(let relationship, let part, _), .related(_, let relationship, let part):
            try check(part, relationship.destination)
        case .and(let parts), .or(let parts): for part in parts { try check(part, entity) }
        case .not(let part): try check(part, entity)
        case .decision(let steps, let otherwise):
            for step in steps { try check(step.condition, entity) }
            try check(otherwise, entity)
        case .values(let left, _, let right):
            try check(left, entity)
            try check(right, entity)
        case .constant, .text, .keys, .count: return
        }
    }

    private func check(_ value: BatchUpdatePlan.Expression, _ entity: Int) throws(StoreError) {
        switch value {
        case .attribute(let position): try check(position, entity)
        case .related(let path, let position): try check(position, path.last?.destination ?? entity)
        case .count(_, let relationship, let condition):
            if let condition { try check(condition, relationship.destination) }
        case .constant, .not, .chain: for operand in value.operands { try check(operand, entity) }
        }
    }

    private func check(_ position: Int, _ entity: Int) throws(StoreError) {
        guard tables[entity].externals.contains(position) else { return }
        let name = "\(tables[entity].source.entity.name).\(tables[entity].source.entity.fieldNames[position])"
        throw StoreError(
            .invalidRequest,
            "\(name) allows external storage, so that a predicate can only compare it with nil; fetch the objects and "
                + "compare their values")
    }
}
