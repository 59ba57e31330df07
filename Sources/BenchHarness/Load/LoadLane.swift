/// Keeps the writes of several processes apart that do a load on one store, at once or one after another: no two insert
/// the same record, or give an attribute the same revision.
struct LoadLane: Sendable, Equatable {
    /// 0 for a load that has the store to itself.
    var number = 0

    /// More records than a process inserts before it ends.
    private static let inserts = 1 << 24
    /// At least as many as a scenario's workers.
    private static let workers = 1 << 10

    /// The ordinal of the first record to insert into a store of so many records.
    func firstInsert(after records: Int) -> Int { records + number * Self.inserts }

    /// The number of a worker among all workers of all lanes.
    func writer(_ worker: Int) -> UInt64 { UInt64(number * Self.workers + worker) }

    /// The revision before the first one of a worker.
    func revisions(of worker: Int) -> UInt64 { (writer(worker) + 1) << 32 }
}
