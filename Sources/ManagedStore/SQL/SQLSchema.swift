/// The tables of a model's objects in a database, and the dialect of its statements.
struct SQLSchema: Sendable {
    /// The tables of the model's entities, in its order.
    let tables: [EntityTable]
    /// The numbers of the entities, in the same order.
    let numbers: [Int]
    /// The join tables, by the relationship's number in the model.
    let joins: [JoinTable]
    let dialect: any SQLDialect

    init(tables: [EntityTable], joins: [JoinTable], dialect: any SQLDialect) {
        (self.tables, self.joins, self.dialect) = (tables, joins, dialect)
        numbers = tables.map(\.entityNumber)
    }
}
