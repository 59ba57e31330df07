/// Where a model's objects lie in a database, and the dialect in which it is asked for them.
struct SQLSchema: Sendable {
    /// Those of the model's entities, in its order.
    let tables: [EntityTable]
    /// By the relationship's number in the model.
    let joins: [JoinTable]
    let dialect: any SQLDialect
}
