import Foundation

/// What a shard says of itself when it arrives. All must mean the same load.
struct ShardArrival: Sendable, Codable {
    /// The process; another one with the same number is a mistake.
    var token: String
    var shard: Shard
    var scenario: Scenario
    var drivers: [String]
    var phases: [String]
    /// The version of what the shards exchange.
    var version = Self.version
    /// The folder of the stores of the first shard, whose name is that of all.
    var stores: String
    /// What the highest rates are to keep, if they are searched for.
    var search: RateSearchRequest?
    /// What the shards torture with; nil for a run.
    var torture: TortureTerms?
    /// The time at the place.
    var time = 0

    static let version = 6

    /// Returns what differs, in words; nil if both mean the same load.
    func difference(_ other: ShardArrival) -> String? {
        if shard.count != other.shard.count { return "\(shard.count) and \(other.shard.count) shards" }
        if let difference = TortureTerms.difference(torture, other.torture) { return difference }
        if drivers != other.drivers {
            return "the drivers \(drivers.joined(separator: ", ")) and \(other.drivers.joined(separator: ", "))"
        }
        if phases != other.phases { return "the phases that run" }
        if search != other.search { return "--find-max, its limits or the length of its trials" }
        if scenario.repetitions != other.scenario.repetitions || scenario.warmups != other.scenario.warmups {
            return "\(scenario.repetitions) and \(other.scenario.repetitions) repetitions"
        }
        var meant = other.scenario
        // Without a seed of its own, torture takes that of the first shard.
        if other.torture?.isSeedGiven == false { meant.seed = scenario.seed }
        return ScenarioMatch.difference(scenario, meant)
    }
}

extension ShardArrival {
    /// Reads the version first: another one may have other fields.
    init(from decoder: any Decoder) throws {
        let message = try decoder.container(keyedBy: CodingKeys.self)
        version = try message.decode(Int.self, forKey: .version)
        guard version == Self.version else {
            throw RunError(
                .meeting,
                "its messages are of version \(version), and those of this bench of version \(Self.version); start all "
                    + "shards with the same bench")
        }
        token = try message.decode(String.self, forKey: .token)
        shard = try message.decode(Shard.self, forKey: .shard)
        scenario = try message.decode(Scenario.self, forKey: .scenario)
        drivers = try message.decode([String].self, forKey: .drivers)
        phases = try message.decode([String].self, forKey: .phases)
        stores = try message.decode(String.self, forKey: .stores)
        time = try message.decode(Int.self, forKey: .time)
        search = try message.decodeIfPresent(RateSearchRequest.self, forKey: .search)
        torture = try message.decodeIfPresent(TortureTerms.self, forKey: .torture)
    }
}

/// A shard's way to the others: what it leaves, and what it waits for. Waiting ends when a shard that is needed has
/// failed, or shows no sign of life.
struct Meeting: Sendable {
    let place: any MeetingPlace
    let shard: Shard
    /// How long others may take to arrive, in seconds.
    var arrivalSeconds = 600.0
    /// For how long another shard may show no sign of life, in seconds.
    var silenceSeconds = 30.0
    /// Why the process itself is to stop; nil if it is not.
    var stopReason: @Sendable () -> String? = { nil }

    /// Seconds between two signs of life.
    static let signSeconds = 1.0

    var others: [Int] { (0..<shard.count).filter { $0 != shard.index } }

    func leave(_ message: String, _ value: some Encodable) throws {
        try leave(message, data: JSONEncoder().encode(value))
    }

    func leave(_ message: String, data: Data) throws {
        guard try place.leave(message, data) else {
            throw RunError(
                .meeting,
                "\(place.name) has a message \(message) already: shard \(shard) was started twice, or the place was used "
                    + "for another load; give each load a new one")
        }
    }

    /// Shows the others that the process lives.
    ///
    /// - Returns: Whether the place could be reached.
    @discardableResult func showSign(_ number: Int) -> Bool {
        (try? place.replace(Self.sign(of: shard.index), Data("\(number)".utf8))) != nil
    }

    /// Leaves the reason why the shard cannot do its part; the others need not wait for it.
    func fail(_ reason: String, in round: String) {
        _ = try? place.leave("\(round)-failed-\(shard.index)", Data(reason.utf8))
    }

    /// Waits for a message of other shards.
    ///
    /// - Parameters:
    ///   - message: Such as `ready`; the numbers of the shards follow.
    ///   - round: What the message belongs to.
    ///   - shards: The shards that leave it; nil for all others.
    ///   - areArrived: Whether the shards are known to have been there.
    func await<Value: Decodable>(
        _ message: String, in round: String, of shards: [Int]? = nil, areArrived: Bool = true, as type: Value.Type
    ) throws -> [Int: Value] {
        try self.await(message, in: round, of: shards, areArrived: areArrived) {
            try JSONDecoder().decode(type, from: $0)
        }
    }

    /// - Parameter decode: Reads a message.
    func await<Value>(
        _ message: String, in round: String, of shards: [Int]? = nil, areArrived: Bool = true,
        decode: (Data) throws -> Value
    ) throws -> [Int: Value] {
        try wait(for: message, in: round, of: shards, areArrived: areArrived, toleratesLosses: false, decode).values
    }

    /// What came of a message that several shards leave.
    struct Gathered<Value> {
        var values: [Int: Value] = [:]
        /// Why the other shards cannot leave it any more, in words that name them.
        var losses: [Int: String] = [:]
    }

    /// Waits until each of some shards has left a message, or cannot do so any more.
    ///
    /// - Parameter shards: The shards that leave it; nil for all others.
    func gather<Value>(
        _ message: String, in round: String, of shards: [Int]? = nil, decode: (Data) throws -> Value
    ) throws -> Gathered<Value> {
        try wait(for: message, in: round, of: shards, areArrived: true, toleratesLosses: true, decode)
    }

    private func wait<Value>(
        for message: String, in round: String, of shards: [Int]?, areArrived: Bool, toleratesLosses: Bool,
        _ decode: (Data) throws -> Value
    ) throws -> Gathered<Value> {
        var missing = shards ?? others
        var gathered = Gathered<Value>()
        var watch = SilenceWatch(limit: areArrived ? silenceSeconds : arrivalSeconds)
        while true {
            // One look for everything: a place may be the server that is measured.
            let found = try place.read(
                missing.map { "\(round)-\(message)-\($0)" } + others.flatMap { Self.failures(of: $0, in: round) }
                    + (areArrived ? missing.map(Self.sign) : []))
            for index in missing {
                let name = "\(round)-\(message)-\(index)"
                if let content = found[name] { gathered.values[index] = try read(content, name, of: index, decode) }
            }
            missing.removeAll { gathered.values[$0] != nil }
            if missing.isEmpty { return gathered }
            if let reason = stopReason() { throw RunError(.meeting, reason) }
            if toleratesLosses {
                for index in missing { gathered.losses[index] = Self.failure(of: index, in: round, found) }
            } else {
                try checkFailures(round, found)
            }
            let silent = missing.filter { gathered.losses[$0] == nil && watch.isSilent($0, found[Self.sign(of: $0)]) }
            if !silent.isEmpty, !areArrived { throw absence(of: silent, watch.limit) }
            let reason = "no sign of life for \(Int(watch.limit)) s"
            // Later rounds need not wait for them as long again.
            for index in silent { _ = try place.leave(Self.loss(of: index), Data(reason.utf8)) }
            if !silent.isEmpty, !toleratesLosses { throw Self.withoutResult(Self.lost(silent, reason)) }
            for index in silent { gathered.losses[index] = Self.lost([index], reason) }
            missing.removeAll { gathered.losses[$0] != nil }
            if missing.isEmpty { return gathered }
            usleep(place.pollMicroseconds)
        }
    }

    private func absence(of shards: [Int], _ seconds: Double) -> RunError {
        RunError(
            .meeting,
            "\(shards.shardsInWords) missing after \(Int(seconds)) s; start all \(shard.count) shards with the same meeting "
                + "place")
    }

    /// More than the clock of one place can be apart for two shards, in nanoseconds.
    private static let greatestAdvance = 1_000_000_000

    /// Checks that no shard has read a later time at the place than it is there now. Otherwise the shards mean
    /// different clocks, and would wait for different times.
    func check(_ times: [Int: Int], notAfter now: Int) throws(RunError) {
        for (index, time) in times.sorted(by: { $0.key < $1.key }) where time - now > Self.greatestAdvance {
            throw RunError(
                .meeting,
                "\(place.name): shard \(index) reads a clock there that is \(Figure.duration(Double(time - now))) "
                    + "ahead of the one that shard \(shard.index) reads; let all shards meet on the same server, or "
                    + "in the same folder")
        }
    }

    private func read<Value>(
        _ content: Data, _ name: String, of index: Int, _ decode: (Data) throws -> Value
    ) throws(RunError) -> Value {
        do {
            return try decode(content)
        } catch let error as RunError {
            throw RunError(.meeting, "\(place.name), shard \(index): \(error.description)")
        } catch {
            throw RunError(
                .meeting,
                "\(place.name): the message \(name) cannot be read: \(JSONFile.reason(error)); give each load a new place, "
                    + "and start all shards with the same bench")
        }
    }

    private static func sign(of index: Int) -> String { "alive-\(index)" }
    /// The message with the reason why a shard has left.
    private static func departure(of index: Int) -> String { "left-\(index)" }
    /// The message of another shard that has waited for a sign of life in vain.
    private static func loss(of index: Int) -> String { "lost-\(index)" }

    private static func lost(_ shards: [Int], _ reason: String) -> String { "\(shards.shardsInWords) lost: \(reason)" }

    /// What the loss of a shard means for the load.
    static func withoutResult(_ loss: String) -> RunError { RunError(.meeting, "\(loss); the load has no result") }

    /// Tells the others, in all rounds, that the shard has left.
    func depart(_ reason: String) { _ = try? place.leave(Self.departure(of: shard.index), Data(reason.utf8)) }

    /// The messages with the reasons why a shard cannot go on.
    private static func failures(of index: Int, in round: String) -> [String] {
        [loss(of: index), "\(round)-failed-\(index)", departure(of: index)]
    }

    private func checkFailures(_ round: String, _ found: [String: Data]) throws(RunError) {
        // First: the loss of a shard is why others fail.
        for index in others where found[Self.loss(of: index)] != nil {
            throw Self.withoutResult(Self.failure(of: index, in: round, found) ?? "")
        }
        for index in others {
            if let failure = Self.failure(of: index, in: round, found) { throw RunError(.meeting, failure) }
        }
    }

    /// Returns why a shard cannot go on, in words that name it; nil if it can.
    private static func failure(of index: Int, in round: String, _ found: [String: Data]) -> String? {
        for message in failures(of: index, in: round) {
            guard let content = found[message] else { continue }
            let reason = String(decoding: content, as: UTF8.self)
            return message == loss(of: index) ? lost([index], reason) : "shard \(index) failed: \(reason)"
        }
        return nil
    }
}

/// Tells from signs of life which shards show none.
private struct SilenceWatch {
    let limit: Double
    private var last: [Int: (sign: Data?, time: ContinuousClock.Instant)] = [:]

    init(limit: Double) { self.limit = limit }

    mutating func isSilent(_ index: Int, _ sign: Data?) -> Bool {
        let now = ContinuousClock.now
        guard let known = last[index], known.sign == sign else {
            last[index] = (sign, now)
            return false
        }
        return now - known.time > .seconds(limit)
    }
}
