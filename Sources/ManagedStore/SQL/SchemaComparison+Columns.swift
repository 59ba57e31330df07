/// Compares the columns of attributes and references.
extension SchemaComparison {
    mutating func compareAttributes(_ table: EntityTable) {
        let own = table.source.entity.ownAttributes
        for (attribute, column) in zip(own, table.columns[own.startIndex...]) {
            let name = "\(table.source.entity.name).\(attribute.name)"
            if let found = existing.column(column, of: table.name) {
                if !existing.fits(attribute.attributeType, found) {
                    differences.append(
                        "\(table.name).\(column) is \(found.type), which cannot hold \(name) "
                            + "(\(attribute.attributeType.rawValue)); "
                            + "restore the attribute's type, or rename the attribute")
                }
            } else if !mayAdd(column, for: name, attribute.name, attribute.attributeType, table) {
                continue
            } else if !attribute.isOptional, (attribute.defaultValue ?? .null) == .null {
                differences.append(
                    "table \(table.name) lacks \(column), and \(name) is required: give it a default value, or make it optional"
                )
            } else {
                additions.append(addition(of: attribute, column, table))
            }
        }
    }

    private func addition(
        of attribute: AttributeDescription, _ column: String, _ table: EntityTable
    ) -> SchemaAddition {
        let type = attribute.attributeType
        let addition = statements.addition(of: column, type, to: table.name)
        let text = "table \(table.name) lacks \(column)"
        guard let value = attribute.defaultValue?.fitted(to: type), value != .null else {
            return SchemaAddition(text, [addition])
        }
        let dialect = statements.dialect
        if dialect.declaresDefaults, dialect.says(value) {
            return SchemaAddition(text, ["\(addition) DEFAULT \(dialect.literal(value))"])
        }
        let ofFamily = statements.family(of: table, among: tables).map { " WHERE \($0)" } ?? ""
        return SchemaAddition(
            text,
            [
                SQLFragment(sql: addition),
                SQLFragment(
                    sql: "UPDATE \(identifier(table.name)) SET \(identifier(column)) = ?\(ofFamily)",
                    bindings: [value]),
            ])
    }

    mutating func compareReferences(_ table: EntityTable) {
        let relationships = model.graph.relationships[table.source.entityIndex]
        for (field, reference) in table.ownReferences {
            guard
                let relationship = relationships.first(where: { $0.kind == .toOne(field: field) })
            else { continue }
            let (name, column) = ("\(table.source.entity.name).\(relationship.name)", table.columns[field])
            if let found = existing.column(column, of: table.name) {
                if !existing.fits(.objectID, found) {
                    differences.append(
                        "\(table.name).\(column) is \(found.type), which cannot hold the relationship \(name); "
                            + "rename the relationship, or correct the column"
                    )
                }
                completeReference(reference, column, table)
            } else if !mayAdd(column, for: name, relationship.name, .objectID, table) {
                continue
            } else if !relationship.description.isOptional {
                differences.append(
                    "table \(table.name) lacks \(column), and \(name) is required: make it optional")
            } else {
                let columns = [column, reference.entityColumn, reference.orderColumn].compactMap { $0 }
                additions.append(
                    SchemaAddition(
                        "table \(table.name) lacks \(column)",
                        columns.map { statements.addition(of: $0, .objectID, to: table.name) }
                            + [statements.index(on: field, of: table)])
                )
            }
        }
    }

    /// Adds the additional columns and indexes of an existing reference, whose destination has gained subentities or
    /// whose inverse has become ordered.
    private mutating func completeReference(_ reference: EntityTable.Reference, _ column: String, _ table: EntityTable)
    {
        if let entityColumn = reference.entityColumn, !existing.has(entityColumn, in: table.name) {
            let known = model.hierarchy.families[reference.destination].filter {
                existing.entity(named: model.entities[$0].name) != nil
            }
            guard let former = known.first, known.count == 1 else {
                differences.append("table \(table.name) lacks \(entityColumn)")
                return
            }
            addFilled(entityColumn, "\(tables[former].entityNumber)", where: column, table)
        }
        if let orderColumn = reference.orderColumn, !existing.has(orderColumn, in: table.name) {
            addFilled(orderColumn, identifier("Z_PK"), where: column, table)
        }
    }

    private mutating func addFilled(_ column: String, _ value: String, where reference: String, _ table: EntityTable) {
        additions.append(
            SchemaAddition(
                "table \(table.name) lacks \(column)",
                [
                    statements.addition(of: column, .objectID, to: table.name),
                    "UPDATE \(identifier(table.name)) SET \(identifier(column)) = \(value) "
                        + "WHERE \(identifier(reference)) IS NOT NULL",
                ]))
    }

    /// Whether a column can be added without changing the columns of other properties, and without hiding the values of
    /// a renamed property.
    private mutating func mayAdd(
        _ column: String, for name: String, _ property: String, _ type: AttributeType, _ table: EntityTable
    ) -> Bool {
        let base = "Z" + property.uppercased()
        let wanting = namesakes[table.source.rootIndex]?[base] ?? []
        if wanting.count > 1 {
            let sharing = wanting.map { "\(model.entities[$0.entity].name).\($0.name)" }.joined(separator: ", ")
            differences.append(
                "table \(table.name) lacks \(column), and \(sharing) share a name in table \(table.name), so its "
                    + "owner is ambiguous: "
                    + "rename the new property")
            return false
        }
        if column.uppercased() != base {
            differences.append(
                "table \(table.name) lacks \(column) for \(name), whose own column \(base) would be another property's, so its "
                    + "owner is ambiguous: rename the new property")
            return false
        }
        guard let former = formerColumn(type, table) else { return true }
        differences.append(
            "table \(table.name) lacks \(column) for \(name), and has \(former), which the model does not: if the property was renamed, "
                + "rename the column as well (ALTER TABLE \(identifier(table.name)) RENAME COLUMN \(identifier(former)) TO \(identifier(column))), else keep the old property, "
                + "or drop its column")
        return false
    }

    /// Returns a column of a fitting type that no property of the model uses; it may hold a renamed property's values.
    private func formerColumn(_ type: AttributeType, _ table: EntityTable) -> String? {
        guard !table.hasStrangers else { return nil }
        let family = model.hierarchy.families[table.source.rootIndex].map { tables[$0] }
        let known = Set(
            family.flatMap { $0.writtenColumns + $0.references.values.compactMap(\.orderColumn) }.map(existing.kept))
        return (existing.columns(of: table.name) ?? [:]).filter { name, column in
            name.hasPrefix("Z") && name.dropFirst().first?.isLetter == true && !known.contains(name)
                && existing.fits(type, column)
        }.keys.min()
    }
}
