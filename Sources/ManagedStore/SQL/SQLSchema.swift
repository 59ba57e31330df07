/// The tables of a model's objects in a database, and the dialect of its statements. A class, as ``RowSelection`` is.
final class SQLSchema: Sendable {
    /// The tables of the model's entities, in its order.
    let tables: [EntityTable]
    /// The numbers of the entities, in the same order.
    let numbers: [Int]
    /// The join tables, by the relationship's number in the model.
    let joins: [JoinTable]
    let dialect: any SQLDialect
    /// The columns of required attributes, as `ZITEM.ZNAME`, in which no row lacked a value when the store was opened.
    /// Empty where that is not known.
    let completeColumns: Set<String>

    init(
        tables: [EntityTable], joins: [JoinTable], dialect: any SQLDialect, completeColumns: Set<String> = []
    ) {
        (self.tables, self.joins, self.dialect) = (tables, joins, dialect)
        self.completeColumns = completeColumns
        numbers = tables.map(\.entityNumber)
    }
}
