import Foundation

/// Where an entity's objects lie in a database: the table, which the entities of a hierarchy share, the columns in the
/// order of the fields of the entity's rows, and the entity's number.
struct EntityTable: Sendable {
    /// What a to-one relationship needs beside its column.
    struct Reference: Sendable {
        /// Holds the number of the related object's entity, where it can be one of several.
        let entityColumn: String?
        /// Holds the place in the inverse's order, if that is ordered.
        let orderColumn: String?
        /// The position of the entity that the relationship leads to.
        let destination: Int
    }

    let name: String
    let columns: [String]
    /// By the field's position.
    let references: [Int: Reference]
    /// The entity's number: `Z_ENT` of its rows.
    let entityNumber: Int
    /// The number of the entity at the root of the hierarchy, whose row in `Z_PRIMARYKEY` counts the keys.
    let rootNumber: Int
    /// Whether rows of other entities lie in the table too.
    let isShared: Bool
    /// Whether some of these entities are not in the model. Their rows are left alone.
    var hasStrangers = false
    /// Whether others wrote the file, and may have left out versions and what the highest key is.
    var isAdopted = false
    /// The positions of the attributes that triggers of the file keep.
    var derived: [Int] = []
    /// The positions of the transformable attributes whose values others may have written in another form than ours.
    var archived: [Int] = []
    /// The positions of the attributes whose values may lie in files of their own.
    var externals: [Int] = []
    /// Whether triggers change rows without saying which.
    var isChangedSilently = false
    /// By what rows of the file may refer to the entity's, unknown to the model.
    var strangers: [StrangerReference] = []
    let source: ObjectIDSource

    /// The tables of a model's entities, in its order. `numbers` are the entities' numbers in the same order; an
    /// `existing` database may have other tables, and `choices` are the columns in which it keeps what we would keep in
    /// others.
    static func all(
        _ sources: [ObjectIDSource], numbers: [Int], existing: (any ExistingTables)? = nil,
        choices: [ColumnNames.Property: String] = [:]
    ) -> [EntityTable] {
        guard let model = sources.first?.model else { return [] }
        let columns = ColumnNames(model, choices: choices)
        let strangers = existing?.rootsWithStrangers(model) ?? []
        return sources.enumerated().map { position, source in
            let hasStrangers = strangers.contains(source.rootIndex)
            return EntityTable(
                name: existing?.tableName(of: source.entity) ?? EntityTable.name(of: source.entity),
                columns: columns.columns(of: position),
                references: references(of: position, model, columns, numbers, existing),
                entityNumber: numbers[position],
                rootNumber: numbers[source.rootIndex], isShared: hasStrangers || model.hierarchy.isShared(position),
                hasStrangers: hasStrangers, isAdopted: existing?.isCoreDatas ?? false, source: source)
        }
    }

    /// The name that the table of an entity has in a new database.
    static func name(of entity: EntityDescription) -> String { "Z" + entity.root.name.uppercased() }

    private static func references(
        of entity: Int, _ model: ManagedObjectModel, _ columns: ColumnNames, _ numbers: [Int],
        _ existing: (any ExistingTables)?
    ) -> [Int: Reference] {
        let table = existing?.tableName(of: model.entities[entity]) ?? ""
        var references: [Int: Reference] = [:]
        for relationship in model.graph.relationships[entity] {
            guard case .toOne(let field) = relationship.kind else { continue }
            let bare = columns.columns(of: entity)[field].dropFirst()
            let entityColumn = "Z\(numbers[relationship.destination])_\(bare)"
            let isShared =
                model.hierarchy.families[relationship.destination].count > 1
                || existing?.has(entityColumn, in: table) == true
            let inverse = relationship.inverse.map { model.graph.relationships[relationship.destination][$0] }
            references[field] = Reference(
                entityColumn: isShared ? entityColumn : nil,
                orderColumn: inverse?.isOrdered == true ? "Z_FOK_\(bare)" : nil, destination: relationship.destination)
        }
        return references
    }

    /// The columns that a save writes: those of the fields, then those that hold entities.
    var writtenColumns: [String] { columns + entityColumns.map(\.column) }

    /// The columns that hold entities of related objects, with the positions of the fields that they belong to.
    var entityColumns: [(field: Int, column: String)] {
        references.sorted { $0.key < $1.key }.compactMap { field, reference in
            reference.entityColumn.map { (field, $0) }
        }
    }

    /// The declared columns of the properties that the superentity does not have.
    var ownDeclarations: [(rank: Int, name: String, type: AttributeType)] {
        let own = source.entity.ownAttributes
        let attributes = zip(own, columns[own.startIndex...]).map { attribute, column in
            (attribute.attributeType.column.rank, column, attribute.attributeType)
        }
        return attributes
            + ownReferences.flatMap { field, reference in
                [columns[field], reference.entityColumn, reference.orderColumn].compactMap { $0 }.map {
                    (0, $0, .objectID)
                }
            }
    }

    /// The references that the superentity does not have, by their fields.
    var ownReferences: [(field: Int, reference: Reference)] {
        let inherited = source.entity.superentity.map { $0.layout.toOneFields.count } ?? 0
        let first = source.entity.attributes.count + inherited
        return references.filter { $0.key >= first }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension ColumnKind {
    /// Core Data orders columns by their types.
    fileprivate var rank: Int {
        switch self {
        case .boolean, .integer: 0
        case .timestamp, .real, .decimal: 1
        case .text: 2
        case .blob: 3
        }
    }
}
