import Foundation

/// What the processes of one round did, of one shard: enough for an audit, and for the table.
package struct TortureAccount: Sendable {
    var processes = 0
    var kills = 0
    var killsWhileOpening = 0
    var stops = 0
    var acknowledged = 0
    /// Faults of the processes.
    var problems: [String] = []
    /// What failed; see ``TortureDeath/failures``.
    var failures: [String] = []
    var failedOperations = 0
    var ledgers: [Ledger] = []
    /// The journals of a task without ledgers, in its own form.
    package var evidence: [String] = []
    var shard = 0
    /// How the shard's clock compares with that of the meeting place.
    var clock = MeetingClock(offset: 0, uncertainty: 0)
    /// Whether the shard was asked to stop.
    var isInterrupted = false

    init() {}

    /// Takes what processes left behind.
    init(_ deaths: [TortureDeath]) {
        for death in deaths {
            processes += 1
            stops += death.stops
            acknowledged += death.acknowledged
            if death.isKilled { kills += 1 }
            if death.isKilled, death.life.end == .killWhileOpening { killsWhileOpening += 1 }
            problems += death.problems
            failures += death.failures
            failedOperations += death.failedOperations
            ledgers += death.readings.map(\.ledger)
            evidence += death.readings.compactMap(\.evidence)
        }
    }

    /// Returns the account by the clock of the meeting place, with the name of the shard in what went wrong.
    func ofShard(_ index: Int) -> Self {
        var account = self
        account.shard = index
        let shift = ClockShift(offset: clock.offset, uncertainty: clock.uncertainty)
        account.ledgers = ledgers.map { $0.shifted(shift) }
        account.problems = problems.map { "shard \(index): \($0)" }
        account.failures = failures.map { "shard \(index): \($0)" }
        return account
    }
}

extension TortureAccount: Packable {
    private var counts: [Int] {
        [processes, kills, killsWhileOpening, stops, acknowledged, failedOperations, clock.offset, clock.uncertainty]
    }

    func pack(into bytes: inout PackedBytes) {
        counts.pack(into: &bytes)
        bytes.append(isInterrupted ? UInt8(1) : 0)
        problems.pack(into: &bytes)
        failures.pack(into: &bytes)
        ledgers.pack(into: &bytes)
        evidence.pack(into: &bytes)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        self.init()
        let counts = try [Int](from: &bytes)
        guard counts.count == self.counts.count else {
            throw RunError(.meeting, "its account has \(counts.count) counts; start all shards with the same bench")
        }
        (processes, kills, killsWhileOpening, stops) = (counts[0], counts[1], counts[2], counts[3])
        (acknowledged, failedOperations) = (counts[4], counts[5])
        clock = MeetingClock(offset: counts[6], uncertainty: counts[7])
        isInterrupted = try bytes.flags() != 0
        problems = try [String](from: &bytes)
        failures = try [String](from: &bytes)
        ledgers = try [Ledger](from: &bytes)
        evidence = try [String](from: &bytes)
    }
}
