/// The columns that a query for whole rows selects, and where each entity finds its attributes among them.
struct RowSelection {
    /// How the rows of one entity stand among the columns.
    struct Shape {
        let source: ObjectIDSource
        /// The column of each field.
        let columns: [Int32]
        let references: [Reference]
        /// The positions of the attributes whose values may lie in files of their own.
        var externals: [Int] = []
    }

    /// Where the entity of a related object is found.
    struct Reference {
        /// The field's position.
        let field: Int
        /// The column that holds its number; nil where it can be one alone.
        let entityColumn: Int32?
        /// The position of the entity that the relationship leads to.
        let destination: Int
        /// The positions of entities by number, where there are several.
        let entities: [Int64: Int]
    }

    /// `Z_PK`, `Z_OPT`, then the fields; with several entities `Z_ENT` before these.
    let columns: [String]
    /// The same as a query has them.
    let columnList: String
    /// The same as a query has them that calls the table `t`.
    let aliasedList: String
    let tableName: String
    /// The shape of the one entity that there is, whose fields follow in their order; nil with several.
    let single: Shape?
    /// With several entities, their shapes by number.
    let shapes: [Int64: Shape]

    /// Selects the rows of the entities at the positions `family`: the one at `entity`, and those that inherit from it.
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
}

extension RowSelection {
    /// Selects `columns` of a result whose rows are all of one shape; the query lists them itself.
    init(columns: [String], tableName: String, shape: Shape) {
        self.columns = columns
        (columnList, aliasedList) = ("", "")
        self.tableName = tableName
        single = shape
        shapes = [:]
    }
}

/// The selections of every entity, made once: a fetch of a single row would spend a third of its time on making one.
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

    /// Selects the rows of one entity.
    subscript(entity: Int) -> RowSelection { alone[entity] }

    /// Selects what a plan fetches: one entity, or it and all that inherit from it.
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
    /// Each once, in the order of the first time.
    fileprivate var withoutRepeats: [String] {
        var seen = Set<String>()
        return filter { seen.insert($0).inserted }
    }
}
