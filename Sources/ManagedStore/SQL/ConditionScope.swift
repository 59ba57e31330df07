/// The limits that the surrounding text places on a condition.
struct ConditionScope {
    /// The remaining entries in the parser's stack of the database.
    var room: Int
    /// Whether only few rows are tested, because an index finds them.
    var isNarrowed = false
    /// Whether the statement reads all rows that meet the condition, which an index may find in any order.
    var readsAll = false

    /// The maximum number of entries for a condition on the row itself.
    static let leastRoom = 22

    /// Returns the scope within text that takes the given number of entries.
    func within(_ entries: Int) -> ConditionScope {
        ConditionScope(room: room - entries, isNarrowed: isNarrowed, readsAll: readsAll)
    }

    /// Whether a condition on one row fits within text that takes the given number of entries.
    func hasRoom(within entries: Int) -> Bool { room - entries >= Self.leastRoom }

    /// The scope of a condition on few rows.
    var narrowed: ConditionScope { ConditionScope(room: room, isNarrowed: true) }
    /// The scope of a condition by which the statement does not find its rows.
    var partial: ConditionScope { ConditionScope(room: room, isNarrowed: isNarrowed) }
}

/// Numbers the queries of a `WITH` clause.
final class QueryNames {
    private var count = 0

    func next() -> String {
        count += 1
        return "q\(count)"
    }
}
