/// Comparisons of values of related rows that the server cannot make: they are made on all rows of the entity.
extension PostgreSQLFetch {
    /// Returns the condition that the key is one of those of the rows that meet a comparison.
    func compared(_ comparison: ResolvedPredicate, _ source: ObjectIDSource) throws(StoreError) -> ResolvedPredicate {
        guard case .values(let left, let operation, let right) = comparison else { return comparison }
        // Several queries answer one fetch.
        try connection.beginSnapshot()
        let rows = try self.rows(FetchPlan(source: source))
        var navigator = FetchedNavigator()
        let here = ResolvedPredicate.values(
            try read(left, of: rows, &navigator), operation, try read(right, of: rows, &navigator))
        let layout = source.entity.layout
        let keys = withExtendedLifetime(rows) {
            rows.references().filter { here.matches($0, layout, navigator) }.map(\.row.key)
        }
        try here.checkPatterns()
        return .keys(DistinctKeys.sorted(keys))
    }

    /// Reads the related rows that a value depends on. Returns the value with conditions that can be tested on them.
    private func read(
        _ value: BatchUpdatePlan.Expression, of rows: FetchedRows, _ navigator: inout FetchedNavigator
    ) throws(StoreError) -> BatchUpdatePlan.Expression {
        switch value {
        case .constant, .attribute: return value
        case .not(let operand): return .not(try read(operand, of: rows, &navigator))
        case .related(let path, _):
            _ = try follow(path, from: rows, &navigator)
            return value
        case .count(let path, let relationship, let condition):
            let owners = try follow(path, from: rows, &navigator)
            let keys = withExtendedLifetime(owners) { DistinctKeys.sorted(owners.references().map(\.row.key)) }
            if !keys.isEmpty {
                try navigator.add(
                    lists(of: RelatedOwners(keys, areAll: false), by: relationship), of: relationship, keys)
            }
            guard let condition else { return value }
            let destination = store.sources[relationship.destination]
            return .count(path, relationship, try local(try said(condition, destination), destination))
        case .chain(let first, let links):
            var here: [BatchUpdatePlan.Expression.Link] = []
            let start = try read(first, of: rows, &navigator)
            for link in links {
                here.append(
                    .init(
                        operation: link.operation, operand: try read(link.operand, of: rows, &navigator),
                        isWhole: link.isWhole))
            }
            return .chain(start, here)
        }
    }
}
