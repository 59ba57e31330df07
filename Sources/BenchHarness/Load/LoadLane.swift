/// A range of ordinals and revisions for each of several processes that run a load on one store, at once or one after
/// another. No two processes insert the same record, or give an attribute the same revision.
struct LoadLane: Sendable, Equatable {
    /// The lane's number; 0 for a load that has the store to itself.
    var number = 0

    /// More records than a process inserts in its lifetime.
    private static let inserts = 1 << 24
    /// At least the maximum number of workers of a scenario.
    private static let workers = 1 << 10

    /// Creates a lane.
    init(number: Int = 0) { self.number = number }

    /// Finds the lane that inserts a record into a store of this many records.
    init(ofInsert ordinal: Int, after records: Int) { self.init(number: (ordinal - records) / Self.inserts) }

    /// Returns the ordinal of the first record to insert into a store of this many records.
    func firstInsert(after records: Int) -> Int { records + number * Self.inserts }

    /// Returns the number of a worker among all workers of all lanes.
    func writer(_ worker: Int) -> UInt64 { UInt64(number * Self.workers + worker) }

    /// Returns the revision before the first one of a worker.
    func revisions(of worker: Int) -> UInt64 { (writer(worker) + 1) << 32 }
}
