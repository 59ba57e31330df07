import BenchHarness

/// The names of tables and columns in the layout of Core Data's files, without the quotes that some need in SQL.
public enum CoreDataNames {
    /// The table of an entity, or the column of an attribute or of a relationship to one: `ZITEM` for `Item`.
    public static func name(_ name: String) -> String { "Z" + name.uppercased() }

    /// The column with the places of records in the order that the inverse of a relationship keeps: `Z_FOK_LIST`.
    public static func orderColumn(of toOne: ReferenceSpec) -> String { "Z_FOK_" + toOne.relationship.uppercased() }

    /// The table of a many-to-many relationship, with a row for each pair.
    public struct Pairs: Sendable {
        /// `Z_1TAGS`: the table is named after the end that keeps an order, or whose entity has the lower number.
        public let table: String
        /// The column with the keys of the records that lead to others. Each column is named after the relationship
        /// that leads to its records.
        public let sourceColumn: String
        /// The column with the keys of the records that these lead to.
        public let targetColumn: String
        /// The column with the places of the records that others lead to, if they keep an order: `Z_FOK_2TAGS`.
        public var orderColumn: String { "Z_FOK_\(targetColumn.dropFirst(2))" }
        /// Whether the entity that declares the relationship has the lower number, or both ends, or keeps an order.
        public let isSourceFirst: Bool

        /// Creates the names of a relationship.
        public init(_ link: Schema.Link, in schema: Schema) {
            let spec = link.spec
            let source = schema.number(of: link.source, kind: spec.subentity)
            let target = schema.number(of: link.destination, kind: spec.target?.name)
            let (there, back) = (spec.relationship.uppercased(), spec.inverse.uppercased())
            isSourceFirst = spec.isOrdered || source <= target
            table = isSourceFirst ? "Z_\(source)\(there)" : "Z_\(target)\(back)"
            sourceColumn = "Z_\(source)\(back)"
            targetColumn = "Z_\(target)\(there)"
        }
    }
}
