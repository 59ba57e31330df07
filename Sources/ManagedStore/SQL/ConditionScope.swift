/// What the text around a condition leaves it.
struct ConditionScope {
    /// How many more entries the database's parser has for tokens that it cannot make sense of yet.
    var room: Int
    /// Whether few rows are asked whether they meet the condition, as an index finds them.
    var isNarrowed = false

    /// What a condition on the row itself takes at most.
    static let leastRoom = 22

    /// Within text that takes so many entries.
    func within(_ entries: Int) -> ConditionScope {
        ConditionScope(room: room - entries, isNarrowed: isNarrowed)
    }

    /// Whether there is room for a condition on one row within text that takes so many entries.
    func hasRoom(within entries: Int) -> Bool { room - entries >= Self.leastRoom }

    var narrowed: ConditionScope { ConditionScope(room: room, isNarrowed: true) }
}

/// Numbers the queries that stand before a statement.
final class QueryNames {
    private var count = 0

    func next() -> String {
        count += 1
        return "q\(count)"
    }
}
