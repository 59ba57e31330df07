/// The tables of a model's objects in a database, and the dialect of its statements.
struct SQLSchema: Sendable {
    /// The tables of the model's entities, in its order.
    let tables: [EntityTable]
    /// The join tables, by the relationship's number in the model.
    let joins: [JoinTable]
    let dialect: any SQLDialect
}
