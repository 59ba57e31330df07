/// The kinds of statements that a save consists of. An entity is told by its number.
enum WriteStatement: Hashable {
    case begin, commit, rollback
    case highestKey(entity: Int)
    case reserveKeys
    case insert(entity: Int, rows: Int)
    /// Changes or deletes one row, or those with neighbouring keys. The bits of `mask` are the changed attributes; none
    /// mean a deletion. A lenient statement finds versions in any form.
    case change(entity: Int, mask: UInt64, isRange: Bool, isLenient: Bool)
}
