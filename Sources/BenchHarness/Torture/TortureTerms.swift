/// What all shards of a torture must have in common besides the scenario and the drivers.
struct TortureTerms: Sendable, Equatable, Codable {
    var limit: TortureRequest.Limit
    /// What the processes do, in words.
    var task: String
    /// Whether the user gave the seed.
    var isSeedGiven: Bool

    init(_ request: TortureRequest) {
        limit = request.limit
        task = request.task.summary(of: request.scenario)
        isSeedGiven = request.isSeedGiven
    }

    /// Returns what differs, in words; nil if nothing does.
    static func difference(_ one: Self?, _ other: Self?) -> String? {
        guard let one, let other else { return one == nil && other == nil ? nil : "bench run and bench torture" }
        if one.task != other.task { return "the torture with \(one.task) and with \(other.task)" }
        return one.limit == other.limit ? nil : "--minutes or --rounds"
    }
}
