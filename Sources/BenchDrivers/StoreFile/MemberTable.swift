/// The rows that a relationship to many leads to, and where it is kept.
struct MemberTable: Sendable {
    /// The table of these rows.
    let table: RecordTable
    /// The table that has the key of an owning row in the column ``own`` beside that of one of these in ``key``: a
    /// table of pairs or, for the inverse of a relationship to one, ``table`` itself.
    let pairs: String
    let own: String
    let key: String
    /// The column with the places of these rows in their order; nil if they are in none.
    var order: String?

    /// Whether some of the rows may have no owning row.
    var mayLeadNowhere: Bool {
        isDirect && table.columns.firstIndex(of: own).map { table.entity.attributes[$0].hasNulls } == true
    }

    /// Whether the rows themselves have the keys of their owning rows.
    var isDirect: Bool { pairs == table.name }
}
