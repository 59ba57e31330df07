import Foundation

/// The location of an entity's objects in a database: the table, which the entities of a hierarchy share, the columns
/// in the order of the fields of the entity's rows, and the entity's number.
struct EntityTable: Sendable {
    /// The properties of a to-one relationship besides its column.
    struct Reference: Sendable {
        /// The column with the number of the related object's entity; nil if only one entity is possible.
        let entityColumn: String?
        /// The column with the position in the inverse's order; nil if the inverse is unordered.
        let orderColumn: String?
        /// The position of the destination entity.
        let destination: Int
    }

    let name: String
    let columns: [String]
    /// The references by the position of their fields.
    let references: [Int: Reference]
    /// The entity's number, the `Z_ENT` of its rows.
    let entityNumber: Int
    /// The number of the root entity, whose row in `Z_PRIMARYKEY` counts the keys.
    let rootNumber: Int
    /// Whether the table also holds rows of other entities.
    let isShared: Bool
    /// Whether some of those entities are not in the model. Their rows are never touched.
    var hasStrangers = false
    /// Whether other programs wrote the file, and may have omitted versions and the highest key.
    var isAdopted = false
    /// The positions of the attributes that triggers of the file maintain.
    var derived: [Int] = []
    /// The positions of the transformable attributes whose values may have a form other than JSON.
    var archived: [Int] = []
    /// The positions of the attributes whose values may lie in separate files.
    var externals: [Int] = []
    /// Whether triggers change rows without reporting which ones.
    var isChangedSilently = false
    /// The columns, unknown to the model, by which rows of the file may refer to the entity's rows.
    var strangers: [StrangerReference] = []
    let source: ObjectIDSource

    /// Whether an index starts with the column of a field: each reference has one.
    func isIndexed(_ position: Int) -> Bool {
        let entity = source.entity
        guard position < entity.attributes.count else { return true }
        let name = entity.attributes[position].name
        return entity.uniqueness.contains { $0.positions.first == position }
            || entity.fetchIndexes.contains { $0.first == name }
    }

    /// Whether no two rows have the same value of a field.
    func isUnique(_ position: Int) -> Bool { source.entity.uniqueness.contains { $0.positions == [position] } }

    /// Returns the expression for a row's next version. Rows of other programs may have no version.
    func nextVersion(_ dialect: any SQLDialect) -> String {
        let version = dialect.identifier("Z_OPT")
        return isAdopted ? "COALESCE(\(version), 0) + 1" : "\(version) + 1"
    }

    /// Returns a column with its table, as `ZITEM.ZNAME`.
    func path(of position: Int) -> String { "\(name).\(columns[position])" }

    /// Returns the tables of a model's entities, in its order.
    ///
    /// `numbers` holds the entities' numbers in the same order. An `existing` database may have other tables, and
    /// `choices` holds the properties that it stores in other columns than a new database would.
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

    /// Returns the name of an entity's table in a new database.
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

    /// The columns that a save writes: those of the fields, then those with entity numbers.
    var writtenColumns: [String] { columns + entityColumns.map(\.column) }

    /// The columns with the entity numbers of related objects, and the positions of the fields that they belong to.
    var entityColumns: [(field: Int, column: String)] {
        references.sorted { $0.key < $1.key }.compactMap { field, reference in
            reference.entityColumn.map { (field, $0) }
        }
    }

    /// The column declarations of the properties that the superentity does not have.
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
    /// The position of the type in Core Data's order of columns.
    fileprivate var rank: Int {
        switch self {
        case .boolean, .integer: 0
        case .timestamp, .real, .decimal: 1
        case .text: 2
        case .blob: 3
        }
    }
}
