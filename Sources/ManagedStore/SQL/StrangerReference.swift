/// A column by which rows of a database refer to those of an entity, though the model has nothing for it: deleting what
/// they refer to would leave them pointing nowhere.
struct StrangerReference: Sendable {
    let table: String
    let column: String
    /// What else holds of rows that refer to the entity's; nil for all with its keys.
    let condition: String?
    /// Whether nothing in the database says to which entity the column leads. Its values do: all of them are keys of
    /// that entity's rows.
    let isGuess: Bool
}
