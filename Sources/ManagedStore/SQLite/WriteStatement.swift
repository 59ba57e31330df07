/// The kinds of statements of a save whose texts depend on the entity, which is told by its number.
enum WriteStatement: Hashable {
    case highestKey(entity: Int)
    /// Inserts rows, with their numbers in ordered relationships or without.
    case insert(entity: Int, rows: Int, hasOrders: Bool)
    /// Changes or deletes one row, or those with neighbouring keys. The bits of `mask` are the changed attributes; none
    /// mean a deletion. A lenient statement finds versions in any form.
    case change(entity: Int, mask: UInt64, isRange: Bool, isLenient: Bool)
}
