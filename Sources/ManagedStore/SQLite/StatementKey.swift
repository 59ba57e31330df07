/// Tells a statement that many requests use, without its text: writing a text anew takes longer than finding a row.
enum StatementKey: Hashable {
    case savepoint
    case release
    case rollbackToSavepoint
    case highestKey(entity: Int)
    case setHighestKey
    case raiseHighestKey
    /// Inserts rows, with their numbers in ordered relationships or without.
    case insert(entity: Int, rows: Int, hasOrders: Bool)
    /// Changes or deletes one row, or those with neighbouring keys. The bits of `mask` are the changed attributes; none
    /// mean a deletion. A lenient statement finds versions in any form.
    case change(entity: Int, mask: UInt64, isRange: Bool, isLenient: Bool)
    /// Finds the rows of a selection by a range of keys. The identity is that of a selection of the store, which tells
    /// the table and the entities.
    case range(rows: ObjectIdentifier)
    /// Finds the rows of such a selection by values of a field, or by their keys.
    case lookup(rows: ObjectIdentifier, field: Int?, values: Int)
    /// Finds the entity of the row with a key, in the table of a root entity.
    case target(root: Int)
    /// Finds the last places in the lists of some owners, to which a field of the members leads.
    case lastPlaces(members: Int, field: Int, owners: Int)
}
