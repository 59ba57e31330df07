/// The lanes of shards that did not hand over what they wrote, so that an audit has to allow for anything in them.
package struct UnaccountedLanes: Sendable {
    private let shards: Set<Int>
    private let shard: @Sendable (LoadLane) -> Int

    /// There are none.
    static let none = UnaccountedLanes([]) { $0.number }

    /// - Parameter shard: Returns the number of the shard that uses a lane.
    init(_ shards: Set<Int>, _ shard: @escaping @Sendable (LoadLane) -> Int) {
        (self.shards, self.shard) = (shards, shard)
    }

    package var isEmpty: Bool { shards.isEmpty }

    func contains(_ lane: LoadLane) -> Bool { !shards.isEmpty && shards.contains(shard(lane)) }
}

extension LedgerAudit {
    /// What an audit without the ledgers of some shards proves, and what it does not, in words.
    static func limits(without shards: Set<Int>) -> String {
        let names = shards.sorted().shardNames
        return "audited without \(names): of the other shards, each acknowledged insertion and deletion was looked "
            + "for, each change of records that they inserted, and the number of their changes of seeded records; not "
            + "proved: what \(names) was told, the values of seeded records"
    }
}
