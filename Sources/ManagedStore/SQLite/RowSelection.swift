/// The columns that a query for whole rows selects, and where each entity finds its attributes among them.
struct RowSelection {
    /// How the rows of one entity stand among the columns.
    struct Shape {
        let source: ObjectIDSource
        /// The column of each attribute.
        let columns: [Int32]
    }

    /// `Z_PK`, `Z_OPT`, then the attributes; with several entities `Z_ENT` before these.
    let columns: [String]
    let tableName: String
    /// The shape of the one entity that there is, whose attributes follow in their order; nil with several.
    let single: Shape?
    /// With several entities, their shapes by number.
    let shapes: [Int64: Shape]

    /// Selects the rows of the entity of `table`, and with `subentities`, its tables included, those of entities that inherit from it.
    init(_ table: EntityTable, subentities: [EntityTable] = []) {
        tableName = table.name
        if subentities.count <= 1 {
            columns = ["Z_PK", "Z_OPT"] + table.columns
            single = Shape(source: table.source, columns: table.columns.indices.map { Int32($0) + 2 })
            shapes = [:]
        } else {
            let known = ["Z_PK", "Z_OPT", "Z_ENT"]
            let attributes = subentities.flatMap(\.columns).withoutRepeats
            let positions = Dictionary(
                uniqueKeysWithValues: attributes.enumerated().map { ($1, Int32($0 + known.count)) })
            columns = known + attributes
            single = nil
            shapes = Dictionary(
                subentities.map { table in
                    (
                        Int64(table.entityNumber),
                        Shape(source: table.source, columns: table.columns.map { positions[$0] ?? 0 })
                    )
                }, uniquingKeysWith: { first, _ in first })
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
