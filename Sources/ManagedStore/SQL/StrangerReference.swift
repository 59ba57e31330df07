/// A column, unknown to the model, by which rows of a database refer to rows of an entity. Deleting those rows would
/// leave dangling references.
struct StrangerReference: Sendable {
    let table: String
    let column: String
    /// A further condition on the referring rows; nil if all rows with the keys refer to the entity.
    let condition: String?
    /// Whether the database does not state the entity that the column leads to. Its values suggest it: all of them are
    /// keys of that entity's rows.
    let isGuess: Bool
}
