/// The columns that a query for whole rows selects, and the places of each entity's attributes among them.
///
/// A class, since each fetch hands it on several times, and a copy of its arrays would count references for each.
/// Statements are found by the identity of a selection of ``RowSelections``, which lives as long as its store.
final class RowSelection: Sendable {
    /// The places of an entity's fields among the columns.
    struct Shape {
        let source: ObjectIDSource
        /// The column of each field.
        let columns: [Int32]
        let references: [Reference]
        /// The positions of the attributes whose values may lie in separate files.
        var externals: [Int] = []
    }

    /// The source of a related object's entity.
    struct Reference {
        /// The field's position.
        let field: Int
        /// The column with its number; nil if only one entity is possible.
        let entityColumn: Int32?
        /// The position of the destination entity.
        let destination: Int
        /// The positions of the possible entities by number.
        let entities: [Int64: Int]
    }

    /// `Z_PK`, `Z_OPT`, then the fields; with several entities, `Z_ENT` precedes the fields.
    let columns: [String]
    /// The columns as text for a query.
    let columnList: String
    /// The columns as text for a query that names the table `t`.
    let aliasedList: String
    let tableName: String
    /// The shape of the only entity, whose fields are in their own order; nil with several entities.
    let single: Shape?
    /// The shapes by entity number; empty with one entity.
    let shapes: [Int64: Shape]

    /// Selects the rows of the entities at the positions `family`: the entity at `entity` and those that inherit from
    /// it.
    init(_ entity: Int, _ family: [Int], in schema: SQLSchema) {
        let tables = schema.tables
        let table = tables[entity]
        tableName = table.name
        let known = family.count > 1 ? ["Z_PK", "Z_OPT", "Z_ENT"] : ["Z_PK", "Z_OPT"]
        let fields = family.flatMap { tables[$0].writtenColumns }.withoutRepeats
        columns = known + fields
        let names = columns.map(schema.dialect.identifier)
        columnList = names.joined(separator: ", ")
        aliasedList = names.map { "t.\($0)" }.joined(separator: ", ")
        let positions = Dictionary(
            uniqueKeysWithValues: fields.enumerated().map { ($1, Int32($0 + known.count)) })
        let numbered = family.map { (Int64(tables[$0].entityNumber), Shape(tables[$0], positions, tables)) }
        single = family.count > 1 ? nil : numbered.first?.1
        shapes = family.count > 1 ? Dictionary(numbered, uniquingKeysWith: { first, _ in first }) : [:]
    }

    /// Selects the `columns` of a result whose rows all have one shape. The query lists them itself.
    init(columns: [String], tableName: String, shape: Shape) {
        self.columns = columns
        (columnList, aliasedList) = ("", "")
        self.tableName = tableName
        single = shape
        shapes = [:]
    }
}

/// The selections of every entity, made once: making one takes a third of the time of fetching a single row.
struct RowSelections {
    private let alone: [RowSelection]
    private let families: [RowSelection]

    init(_ schema: SQLSchema) {
        let tables = schema.tables
        alone = tables.indices.map { RowSelection($0, [$0], in: schema) }
        families = tables.indices.map { entity in
            RowSelection(entity, tables[entity].source.model.hierarchy.families[entity], in: schema)
        }
    }

    /// Returns the selection for the rows of one entity.
    subscript(entity: Int) -> RowSelection { alone[entity] }

    /// Returns the selection for a plan: one entity, or an entity and all that inherit from it.
    subscript(plan: FetchPlan) -> RowSelection {
        let entity = plan.source.entityIndex
        return plan.entities.count == 1 ? alone[plan.entities[0]] : families[entity]
    }
}

extension RowSelection.Shape {
    fileprivate init(_ table: EntityTable, _ positions: [String: Int32], _ tables: [EntityTable]) {
        source = table.source
        columns = table.columns.map { positions[$0] ?? 0 }
        externals = table.externals
        references = table.references.sorted { $0.key < $1.key }.map { field, reference in
            let family = table.source.model.hierarchy.families[reference.destination]
            return RowSelection.Reference(
                field: field, entityColumn: reference.entityColumn.flatMap { positions[$0] },
                destination: reference.destination,
                entities: Dictionary(
                    family.map { (Int64(tables[$0].entityNumber), $0) }, uniquingKeysWith: { first, _ in first }))
        }
    }
}

extension [String] {
    /// The elements without duplicates, in the order of their first occurrence.
    fileprivate var withoutRepeats: [String] {
        var seen = Set<String>()
        return filter { seen.insert($0).inserted }
    }
}
