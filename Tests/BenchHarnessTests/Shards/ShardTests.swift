import Testing

@testable import BenchHarness

@Suite struct ShardTests {
    @Test func aShardIsReadFromItsText() {
        #expect(Shard("2/8") == Shard(index: 2, count: 8))
        #expect(Shard("0/1") == .whole)
        #expect(Shard("999/1000")?.description == "999/1000")
        for text in ["8/8", "-1/8", "1/0", "1/1001", "1", "1/2/3", "a/b", "/8", ""] { #expect(Shard(text) == nil) }
    }

    @Test(arguments: [
        (["OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4"], "3/4"),
        (["SLURM_PROCID": "1", "SLURM_NTASKS": "2", "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "9"], "1/2"),
        // A task of an array is a job with one process.
        (
            [
                "SLURM_PROCID": "0", "SLURM_NTASKS": "1", "SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "4",
                "SLURM_ARRAY_TASK_MIN": "3",
            ], "2/4"
        ),
        (["JOB_COMPLETION_INDEX": "0", "BENCH_SHARDS": "8"], "0/8"),
    ])
    func theStarterOfTheProcessesNamesTheShard(_ environment: [String: String], _ shard: String) throws {
        #expect(try Shard.named(in: environment).description == shard)
    }

    @Test func aMissingOrImpossibleShardIsAnError() throws {
        let missing = #expect(throws: RunError.self) { try Shard.named(in: ["JOB_COMPLETION_INDEX": "1"]) }
        #expect(missing?.description.contains("JOB_COMPLETION_INDEX with BENCH_SHARDS") == true)
        let impossible = #expect(throws: RunError.self) {
            try Shard.named(in: ["SLURM_PROCID": "4", "SLURM_NTASKS": "4"])
        }
        #expect(impossible?.description.hasPrefix("SLURM_PROCID=4 and SLURM_NTASKS=4 name no shard") == true)
    }

    @Test func thePartsOfAllShardsAddUp() {
        for (count, total) in [(1, 7), (3, 10), (8, 5), (7, 700)] {
            let parts = Self.shards(count).map { $0.part(of: total) }
            #expect(parts.reduce(0, +) == total)
            #expect(parts.max()! - parts.min()! <= 1)
        }
    }

    @Test func aLoadInOneProcessKeepsItsPace() {
        let pace = PaceSpec(
            operations: 100, durationSeconds: 3,
            rate: RateSpec(perSecond: 8, ramp: RateSpec.Ramp(fromPerSecond: 4, seconds: 2)))
        #expect(pace.share(of: .whole) == pace)
        let share = pace.share(of: Shard(index: 1, count: 4)!)
        #expect(share.operations == 25 && share.durationSeconds == 3)
        #expect(share.rate?.perSecond == 2 && share.rate?.ramp == RateSpec.Ramp(fromPerSecond: 1, seconds: 2))
    }

    @Test func constantArrivalsOfAllShardsAreThoseOfTheLoad() {
        let rate = RateSpec(perSecond: 1_000)
        let whole = ArrivalSchedule(rate, seed: 1)
        let expected = (0..<40).map { _ in whole.take() }
        let arrivals = Self.shards(4).flatMap { shard in
            let share = PaceSpec(rate: rate).share(of: shard).rate!
            let schedule = ArrivalSchedule(share, seed: 1, shard: shard)
            return (0..<10).map { _ in schedule.take() }
        }
        #expect(arrivals.sorted() == expected)
    }

    /// The rate of the sum is right within six standard deviations, and no two shards do the same at the same time.
    @Test func poissonArrivalsOfAllShardsAddUp() {
        let rate = RateSpec(perSecond: 1_000, arrivals: .poisson)
        let arrivals = Self.shards(4).map { shard in
            let schedule = ArrivalSchedule(PaceSpec(rate: rate).share(of: shard).rate!, seed: 1, shard: shard)
            return Array(sequence(first: schedule.take()) { _ in schedule.take() }.prefix { $0 < 10_000_000_000 })
        }
        let count = arrivals.joined().count
        #expect(abs(Double(count) - 10_000) < 600)
        #expect(Set(arrivals.joined()).count == count)
        let whole = ArrivalSchedule(rate, seed: 1)
        #expect(ArrivalSchedule(rate, seed: 1, shard: .whole).take() == whole.take())
    }

    @Test func noTwoShardsInsertOrReviseTheSame() {
        var (inserts, revisions) = (Set<Int>(), Set<UInt64>())
        for shard in Self.shards(3) {
            let sequence = InsertSequence(records: 10, first: shard.lane.firstInsert(after: 10))
            for worker in 0..<2 {
                var source = Self.source(worker, shard, sequence, [.insert: 1, .update: 1])
                for _ in 0..<100 {
                    let operation = source.next()
                    for ordinal in operation.inserts { #expect(inserts.insert(ordinal).inserted) }
                    if case .attributes(_, let revision) = operation.change, !operation.changes.isEmpty {
                        #expect(revisions.insert(revision).inserted)
                    }
                    source.settle(operation, isDone: true)
                }
            }
        }
        #expect(inserts.count + revisions.count == 600)
    }

    /// Otherwise the shards would spread the load over more records than one process does.
    @Test func theSamePopularRecordsAreThoseOfAllShards() {
        let favourites = Self.shards(3).map { shard in
            let sequence = InsertSequence(records: 1_000, first: shard.lane.firstInsert(after: 1_000))
            var source = Self.source(0, shard, sequence, [.read: 0.5, .insert: 0.5], records: 1_000, keys: .zipfian)
            var counts: [Int: Int] = [:]
            for _ in 0..<20_000 { for ordinal in source.next().reads { counts[ordinal, default: 0] += 1 } }
            return counts.max { $0.value < $1.value }?.key
        }
        #expect(favourites[0] != nil && Set(favourites).count == 1)
    }

    @Test func eachWorkerOfEachShardHasItsOwnPartOfTheRecords() {
        var owners: [Int: String] = [:]
        for shard in Self.shards(4) {
            for worker in 0..<2 {
                let saves = SaveSpec(
                    mode: .unobserved, insertsPerSave: 0, changesPerSave: 3, deletesPerSave: 0, set: [], hotRecords: 0)
                let work = LoadWork(source: .saves(saves), workers: 2, pace: PaceSpec(operations: 10))
                var source = LoadSource(
                    worker: worker, work: work, generator: RecordGenerator(entity: Self.entity, seed: 1), records: 800,
                    sequence: InsertSequence(records: 800), seed: 1, lane: shard.lane, shard: shard)
                for ordinal in (0..<200).flatMap({ _ in source.next().changes }) {
                    let owner = "\(shard) \(worker)"
                    #expect(owners.updateValue(owner, forKey: ordinal) ?? owner == owner)
                }
            }
        }
        #expect(owners.count > 700)
    }

    static func shards(_ count: Int) -> [Shard] { (0..<count).compactMap { Shard(index: $0, count: count) } }

    private static let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
            AttributeSpec(name: "text", type: .string, generator: .random(length: 12)),
        ])

    private static func source(
        _ worker: Int, _ shard: Shard, _ sequence: InsertSequence, _ operations: [OperationKind: Double],
        records: Int = 10, keys: KeySpec = .uniform
    ) -> LoadSource {
        let mix = MixSpec(operations: operations, keys: keys)
        let work = LoadWork(source: .mix(mix), workers: 2, pace: PaceSpec(operations: 1_000))
        return LoadSource(
            worker: worker, work: work, generator: RecordGenerator(entity: entity, seed: 1), records: records,
            sequence: sequence, seed: 1, lane: shard.lane, shard: shard)
    }
}
