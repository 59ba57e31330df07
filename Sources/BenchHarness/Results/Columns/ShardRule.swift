/// How the values of a column in the rows of the shards of a load become that of the load.
struct ShardRule<Value>: Sendable {
    /// Returns the value of the load; nil leaves it missing.
    let merge: (@Sendable (KeyPath<ResultRow, Value>, MergedRow) -> Value)?

    /// What only the load as a whole tells.
    static var ofLoad: Self { Self { path, load in load.whole[keyPath: path] } }

    private static func ofRows(_ merge: @escaping @Sendable ([Value]) -> Value) -> Self {
        Self { path, load in merge(load.rows.map { $0[keyPath: path] }) }
    }
}

extension ShardRule where Value: ExpressibleByNilLiteral {
    /// A property of a single process or machine, or of work that shards do not share.
    static var missing: Self { Self(merge: nil) }
}

extension ShardRule where Value == Int? {
    /// The sum over all shards; missing if one lacks the figure.
    static var sum: Self { ofRows { $0.contains(nil) ? nil : $0.compactMap(\.self).clampedSum } }
    /// The largest of what all shards see, or wait for.
    static var most: Self { ofRows { $0.compactMap(\.self).max() } }
}

extension ShardRule where Value == Double? {
    /// The sum over all shards; missing if one lacks the figure.
    static var sum: Self { ofRows { $0.contains(nil) ? nil : $0.compactMap(\.self).reduce(0, +) } }
}

extension ShardRule where Value == Bool? {
    /// Whether it holds for all shards; nil if one does not tell, and for no other it does not hold.
    static var all: Self { ofRows { $0.contains(false) ? false : $0.contains(nil) ? nil : true } }
    /// Whether it holds for any shard; if not, what the first one tells.
    static var any: Self { ofRows { $0.contains(true) ? true : $0[0] } }
}

extension ShardRule where Value == ResultRow.Status {
    static var worst: Self {
        ofRows { all in [.failed, .interrupted, .unsupported].first(where: all.contains) ?? .ok }
    }
}

extension ShardRule where Value == String {
    static var inWords: Self { ofRows(\.inWordsOfShards) }
}

extension [String] {
    /// The text that all shards share, or those of the shards that have one.
    var inWordsOfShards: String {
        if Set(self).count == 1 { return self[0] }
        return enumerated().filter { !$1.isEmpty }.map { "shard \($0): \($1)" }.joined(separator: "; ")
    }
}
