import Locking

/// The keys that this process has reserved in the database and not given out yet.
///
/// Each reservation is a transaction of its own, so that saves do not wait for each other's keys. Keys that are not
/// given out before the store is closed stay unused if another process has reserved others since.
final class KeyReserves: Sendable {
    private let pool: PostgreSQLConnectionPool
    private let schema: SQLSchema
    /// The keys at hand, by the number of the root entity.
    private let reserves = Locked([Int: Range<Int64>]())

    /// The fewest keys that are reserved at a time.
    private static let block = 64

    init(_ pool: PostgreSQLConnectionPool, _ schema: SQLSchema) {
        (self.pool, self.schema) = (pool, schema)
    }

    /// Returns the first of `count` consecutive keys of an entity.
    func take(_ count: Int, of entity: Int) throws(StoreError) -> Int64 {
        let root = schema.tables[entity].rootNumber
        if let first = takeAtHand(count, root) { return first }
        let reserved = try reserve(max(count, Self.block), schema.tables[entity])
        return reserves.withLock { reserves in
            var range = reserved
            // No other process took keys in between, so that the keys of this one have no gap.
            if let atHand = reserves[root], atHand.upperBound == reserved.lowerBound {
                range = atHand.lowerBound..<reserved.upperBound
                reserves[root] = nil
            }
            let left = range.lowerBound + Int64(count)..<range.upperBound
            // Another thread may have reserved keys meanwhile; the longer range is kept.
            if left.count > reserves[root]?.count ?? 0 { reserves[root] = left }
            return range.lowerBound
        }
    }

    private func takeAtHand(_ count: Int, _ root: Int) -> Int64? {
        reserves.withLock { reserves in
            guard let range = reserves[root], range.count >= count else { return nil }
            reserves[root] = range.lowerBound + Int64(count)..<range.upperBound
            return range.lowerBound
        }
    }

    /// Gives keys that nothing got back to the database, unless others were reserved after them.
    func giveBack(_ connection: PostgreSQLConnection) throws(StoreError) {
        for (root, range) in reserves.exchange([:]) where !range.isEmpty {
            var parameters = QueryParameters()
            parameters.append(range.lowerBound - 1)
            parameters.append(Int64(root))
            parameters.append(range.upperBound - 1)
            _ = try connection.query(
                "UPDATE \"Z_PRIMARYKEY\" SET \"Z_MAX\" = $1 WHERE \"Z_ENT\" = $2 AND \"Z_MAX\" = $3", parameters)
        }
    }

    private func reserve(_ count: Int, _ table: EntityTable) throws(StoreError) -> Range<Int64> {
        var parameters = QueryParameters()
        parameters.append(Int64(count))
        parameters.append(Int64(table.rootNumber))
        let sql = """
            UPDATE "Z_PRIMARYKEY" SET "Z_MAX" = "Z_MAX" + $1 \
            WHERE "Z_ENT" = $2 AND "Z_MAX" < 9223372036854775806 - $1 RETURNING "Z_MAX"
            """
        return try pool.useRetrying { connection throws(StoreError) in
            let result = try connection.query(sql, parameters)
            guard result.count == 1 else {
                throw StoreError(
                    .incompatibleStore,
                    "\(connection.address.name): Z_PRIMARYKEY has no row for \(table.name), or no keys left; restore "
                        + "the database from a copy")
            }
            let last = result[0].int64(0)
            return last - Int64(count) + 1..<last + 1
        }
    }
}
