import Foundation

/// The part of a job that concerns the other shards of its loads.
struct SharedLoad: Sendable, Equatable, Codable {
    var shard: Shard
    /// Where the shards meet.
    var meeting: MeetingAddress
    /// The number of the job in the run, which is the same for all shards.
    var job: Int
    /// For how long another shard may show no sign of life, in seconds.
    var silenceSeconds: Double

    /// Returns the name of the round for a phase.
    func round(_ phase: Int) -> String { "\(job)-\(phase)" }
}

/// One load, as one of its shards goes through it: all arrive, the first one restores the store, all open it, all start
/// at the same time, and one audit judges what all of them did.
struct LoadRound: Sendable {
    let meeting: Meeting
    let name: String

    private struct Here: Sendable, Codable {}
    private struct Ready: Sendable, Codable {
        /// When the shard was ready, by the clock of the meeting place, and at the latest.
        var time: Int
    }

    /// - Parameter driver: The driver of the load, whose server may be the place to meet.
    init(_ shared: SharedLoad, phase: Int, driver: any StoreDriver) throws {
        self.init(
            meeting: Meeting(
                place: try shared.meeting.place(of: driver), shard: shared.shard, silenceSeconds: shared.silenceSeconds),
            name: shared.round(phase))
    }

    init(meeting: Meeting, name: String) { (self.meeting, self.name) = (meeting, name) }

    var shard: Shard { meeting.shard }
    var isFirst: Bool { shard.index == 0 }

    private func leave(_ message: String, _ value: some Encodable) throws {
        try meeting.leave("\(name)-\(message)-\(shard.index)", value)
    }

    /// Tells the others that they need not wait for this shard.
    func fail(_ reason: String) { meeting.fail(reason, in: name) }

    /// Has the first shard restore the store once no other has it open.
    ///
    /// - Returns: The salt of the checksums of all shards.
    func restore(_ body: () throws -> Void) throws -> UInt64 {
        guard isFirst else {
            try leave("here", Here())
            return try meeting.await("restored", in: name, of: [0], as: UInt64.self)[0] ?? 0
        }
        _ = try meeting.await("here", in: name, as: Here.self)
        try body()
        let salt = UInt64.random(in: .min ... .max)
        try leave("restored", salt)
        return salt
    }

    /// Has the first shard wait until all have opened the store, which may write to it.
    func awaitOpening() throws {
        guard isFirst else { return try leave("opened", Here()) }
        _ = try meeting.await("opened", in: name, as: Here.self)
    }

    // MARK: The start

    /// A start that all shards have agreed on.
    struct Start: Sendable {
        /// The comparison of the clocks before.
        let clock: MeetingClock
        /// The time of the start, by the clock of the process.
        let time: Int

        /// Waits for the start.
        ///
        /// - Returns: The time at which the load starts here: later than agreed if that is over.
        func await(_ clock: any NanosecondClock) -> Int {
            let rest = time - clock.now()
            if rest > 0 { LoadPacer.sleep(rest) }
            return max(time, clock.now())
        }
    }

    /// What a shard may do between the last arrival and the start.
    private static let leadNanoseconds = 500_000_000

    /// Waits until all shards have opened the store, and agrees on a start: some time after the last of them was ready.
    func agree(_ clock: any NanosecondClock) throws -> Start {
        let compared = try MeetingClock.compare(meeting.place, shard, clock)
        let own = compared.there(clock.now()) + compared.uncertainty
        try leave("ready", Ready(time: own))
        let others = try meeting.await("ready", in: name, as: Ready.self).mapValues(\.time)
        try meeting.check(others, notAfter: compared.there(clock.now()) + compared.uncertainty)
        let start = max(others.values.max() ?? own, own) + Self.leadNanoseconds
        return Start(clock: compared, time: compared.here(start))
    }

    // MARK: The end

    /// A shard that begins so late did another load than the others.
    private static let latestStart = 1_000_000_000

    /// Judges the ledgers and traces of shards, with the sampling that all have in common. The last argument has the
    /// shards whose ledgers and traces are missing.
    typealias Audit = ([Ledger], [LoadTrace], TraceSampling, Set<Int>) throws -> [String]

    /// Hands over what the shard did, and returns the problems that the audit of the first shard finds in what all did.
    ///
    /// - Parameters:
    ///   - begun: When the load started here.
    ///   - problems: What went wrong here, which fails the load for all shards.
    ///   - audit: Judges what all shards handed over. If some did not, the load has failed, and the audit tells what is
    ///     still proved.
    func judge(
        _ accounts: [LoadAccount], _ sampling: TraceSampling, _ start: Start, begun: Int, _ problems: [String],
        _ clock: any NanosecondClock, _ audit: Audit
    ) throws -> [String] {
        let after = try MeetingClock.compare(meeting.place, shard, clock)
        let own = LoadDelivery(
            ledgers: accounts.map(\.ledger), traces: accounts.compactMap(\.trace), clock: .between(start.clock, after),
            mask: sampling.mask, lateStart: begun - start.time, problems: problems)
        guard isFirst else {
            try meeting.leave("\(name)-account-\(shard.index)", data: own.packed)
            return try verdict()
        }
        var (all, losses) = try gatherAccounts()
        all[0] = own
        let deliveries = all.sorted { $0.key < $1.key }.map(\.value)
        let missing = losses.sorted { $0.key < $1.key }.map { Meeting.withoutResult($0.value).description }
        let found = try Self.judge(deliveries, sampling, Set(losses.keys), audit)
        let verdict = missing + Self.lateness(all) + Self.problems(all) + found
        try leave("verdict", verdict)
        return verdict
    }

    private func gatherAccounts() throws -> ([Int: LoadDelivery], [Int: String]) {
        let gathered = try meeting.gather("account", in: name) { try LoadDelivery(packed: $0) }
        return (gathered.values, gathered.losses)
    }

    /// Waits for what the first shard finds. It may be waiting for a shard that is lost.
    private func verdict() throws -> [String] {
        let gathered = try meeting.gather("verdict", in: name, of: [0]) {
            try JSONDecoder().decode([String].self, from: $0)
        }
        if let loss = gathered.losses[0] { throw Meeting.withoutResult("\(loss); nothing was audited") }
        return gathered.values[0] ?? []
    }

    private static func lateness(_ deliveries: [Int: LoadDelivery]) -> [String] {
        deliveries.sorted { $0.key < $1.key }.filter { $0.value.lateStart > latestStart }.map { index, delivery in
            "shard \(index) began \(Figure.duration(Double(delivery.lateStart))) later than agreed"
        }
    }

    private static func problems(_ deliveries: [Int: LoadDelivery]) -> [String] {
        deliveries.sorted { $0.key < $1.key }.flatMap { index, delivery in
            delivery.problems.map { "shard \(index): \($0)" }
        }
    }

    private static func judge(
        _ deliveries: [LoadDelivery], _ sampling: TraceSampling, _ lost: Set<Int>, _ audit: Audit
    ) throws -> [String] {
        // Masks only grow, by the next bit.
        let common = TraceSampling(salt: sampling.salt, mask: deliveries.map(\.mask).max() ?? 0)
        let moved = deliveries.map(\.onCommonClock)
        let traces = moved.flatMap(\.traces).map { trace in
            var trace = trace
            trace.adopt(common)
            return trace
        }
        return try audit(moved.flatMap(\.ledgers), traces, common, lost)
    }
}
