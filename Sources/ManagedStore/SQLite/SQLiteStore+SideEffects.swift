/// Attributes that triggers of the file maintain, and other effects of triggers.
extension SQLiteStore {
    /// Returns the content of a list of each table, by the position of the entity, without empty lists.
    static func positions(_ tables: [EntityTable], _ list: KeyPath<EntityTable, [Int]>) -> [Int: [Int]] {
        var positions: [Int: [Int]] = [:]
        for (entity, table) in tables.enumerated() where !table[keyPath: list].isEmpty {
            positions[entity] = table[keyPath: list]
        }
        return positions
    }

    /// Returns the changes by triggers in the transaction that was just committed.
    func sideEffects(_ connection: Connection) -> SideEffects {
        var effects = SideEffects(entities: silentlyChanged)
        for (number, keys) in connection.reports.take() {
            guard let entity = tables.firstIndex(where: { Int64($0.entityNumber) == number }) else { continue }
            effects.keys[entity] = keys.sorted()
        }
        return effects
    }

    /// - Throws: `StoreError` with `invalidRequest` for a batch update of an attribute that triggers maintain, or whose
    ///   values have Core Data's own form.
    func checkAssignments(_ plan: BatchUpdatePlan) throws(StoreError) {
        let table = tables[plan.rows.source.entityIndex]
        for (position, value) in plan.assignments {
            if table.derived.contains(position) {
                throw refusal(position, table, "is a derived attribute, which triggers of the file maintain")
            }
            if case .constant(.null) = value { continue }
            if table.externals.contains(position) {
                throw refusal(position, table, "may be stored outside of the file")
            }
            if table.archived.contains(position), try hasArchives(table.columns[position], table) {
                throw refusal(position, table, "holds values that are not JSON, such as archives of Core Data's")
            }
        }
    }

    private func refusal(_ position: Int, _ table: EntityTable, _ reason: String) -> StoreError {
        let name = table.source.entity.attributes[position].name
        return StoreError(
            .invalidRequest,
            "\(table.source.entity.name).\(name) \(reason): take it out of propertiesToUpdate", key: name)
    }

    private func hasArchives(_ column: String, _ table: EntityTable) throws(StoreError) -> Bool {
        let values = SQLFragment(sql: "SELECT \(column) FROM \(table.name) WHERE \(column) IS NOT NULL", bindings: [])
        return try read(values, .uncontrolled) { statement throws(StoreError) in
            while try statement.step() {
                if !TransformableForm.isJSON(statement.bytes(0)) { return true }
            }
            return false
        }
    }
}
