import Foundation
import Locking

/// What the first shard of a torture tells the others after a round.
struct TortureVerdict: Sendable, Codable {
    /// What follows.
    enum Next: Sendable, Codable {
        case round
        /// The next store, of another driver or of other phases.
        case store
        /// Nothing: shards are lost, or were asked to stop.
        case end
    }

    /// The history of the store, of all shards.
    var report: TortureReport
    var next = Next.round
    /// Whether the store was audited.
    var isAudited = false
    /// The shards that were asked to stop.
    var stopped: [Int]
}

/// The part of torture that concerns the other shards: each kills its own processes, and the first one audits the store
/// that all share.
final class SharedTorture: Sendable {
    private let attendance: ShardAttendance
    private let clock = MonotonicClock()
    /// The name of the round.
    private let round = Locked("0")
    private let rounds = Locked(0)

    init(_ sharing: SharedRunRequest, drivers: [any StoreDriver]) throws {
        // A shard that is asked to stop hands over what its processes did.
        attendance = try ShardAttendance(sharing, drivers: drivers, outlivesServer: true) { false }
    }

    var isFirst: Bool { attendance.isFirst }
    private var shard: Shard { attendance.meeting.shard }

    /// Waits for all shards.
    ///
    /// - Parameter folder: The folder of the stores, if this shard is the first one.
    /// - Returns: The seed and the folder of all.
    func arrive(_ request: TortureRequest, in folder: URL) throws -> (seed: UInt64, stores: URL) {
        let own = ShardArrival(
            token: UUID().uuidString, shard: shard, scenario: request.scenario,
            drivers: request.drivers.map(\.name), phases: [], stores: folder.path,
            torture: TortureTerms(request))
        let first = try attendance.arrive(own)
        return (first.scenario.seed, URL(fileURLWithPath: first.stores, isDirectory: true))
    }

    /// Begins the next round of messages.
    func begin() {
        let number = rounds.withLock { rounds in
            rounds += 1
            return rounds
        }
        round.exchange("torture-\(number)")
    }

    func compareClocks() throws -> MeetingClock { try .compare(attendance.meeting.place, shard, clock) }

    // MARK: Messages

    private struct Here: Codable {}

    func leave(_ message: String) throws { try leave(message, Here()) }

    /// Tells the others what the audit found.
    func leave(_ verdict: TortureVerdict) throws { try leave("verdict", verdict) }

    private func leave(_ message: String, _ value: some Encodable) throws {
        try attendance.meeting.leave("\(round.value)-\(message)-\(shard.index)", value)
    }

    /// Waits for a message of the first shard, which may be waiting for a lost one.
    private func awaitFirst<Value: Decodable>(_ message: String, as type: Value.Type) throws -> Value {
        let gathered = try attendance.meeting.gather(message, in: round.value, of: [0]) {
            try JSONDecoder().decode(type, from: $0)
        }
        guard let value = gathered.values[0] else {
            throw RunError(
                .meeting, "\(gathered.losses[0] ?? "shard 0 is lost"); the store was not audited after this round")
        }
        return value
    }

    func awaitFirst(_ message: String) throws { _ = try awaitFirst(message, as: Here.self) }

    /// Hands over what the processes did, and returns what the audit of the first shard found.
    func verdict(after account: TortureAccount) throws -> TortureVerdict {
        try attendance.meeting.leave("\(round.value)-account-\(shard.index)", data: account.packed)
        return try awaitFirst("verdict", as: TortureVerdict.self)
    }

    /// Waits until the processes of all shards have ended.
    ///
    /// - Returns: Why some shards did not say so.
    func gatherEnds() throws -> [Int: String] {
        try attendance.meeting.gather("ended", in: round.value) { _ in }.losses
    }

    /// Returns the accounts of all shards by the clock of the meeting place, and why some are missing.
    ///
    /// - Parameter lost: The shards that are known to be lost.
    func gather(
        _ own: TortureAccount, _ lost: [Int: String]
    ) throws -> (accounts: [TortureAccount], losses: [Int: String]) {
        let others = attendance.meeting.others.filter { lost[$0] == nil }
        var gathered = try attendance.meeting.gather("account", in: round.value, of: others) {
            try TortureAccount(packed: $0)
        }
        // They are large, and there may be thousands of rounds.
        try attendance.meeting.place.remove(gathered.values.keys.map { "\(round.value)-account-\($0)" })
        gathered.values[shard.index] = own
        let accounts = gathered.values.sorted { $0.key < $1.key }.map { $1.ofShard($0) }
        return (accounts, gathered.losses.merging(lost) { own, _ in own })
    }

    /// Returns the lanes of the processes of some shards.
    func lanes(of shards: Set<Int>) -> UnaccountedLanes {
        UnaccountedLanes(shards) { [count = shard.count] in TorturePlan.shard(of: $0, count: count) }
    }

    // MARK: The end

    /// Tells the others that the shard cannot go on.
    func leave(because reason: String) { attendance.leave(reason) }

    /// Has the first shard remove the messages once all have read the last of them.
    func finish() {
        begin()
        guard isFirst else { return _ = try? leave("done") }
        _ = try? attendance.meeting.gather("done", in: round.value) { _ in }
        try? attendance.meeting.place.forget(exceptFor: ShardAttendance.arrival)
    }

    func end() { attendance.end() }
}
