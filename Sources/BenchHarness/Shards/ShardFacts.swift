/// What is known of a process that did a part of a load.
struct ShardFacts: Sendable, Codable {
    /// The number of the shard, and of all shards.
    var index: Int
    var count: Int
    /// Identifies the load that the shards did together.
    var load: String
    /// The machine; nil where the manifest has it.
    var host: HostFacts?
    /// What the clock of the meeting place showed more than the process's own, in nanoseconds; nil if it was not
    /// compared.
    var clockOffset: Int?
    /// How far that may be off, in nanoseconds.
    var clockUncertainty: Int?
    /// What the clock of the meeting place showed more than the machine's time of day, in nanoseconds; nil in older
    /// results.
    var timeOfDayOffset: Int?

    /// The limits of a search for the highest rate, if they are not those of the scenario.
    var limits: [String: LimitSpec]?

    var shard: Shard? { Shard(index: index, count: count) }
}
