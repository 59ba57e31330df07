/// What all shards of a torture must have in common besides the scenario and the drivers.
struct TortureTerms: Sendable, Equatable, Codable {
    var limit: TortureRequest.Limit
    var isRelated: Bool
    /// Whether the user gave the seed.
    var isSeedGiven: Bool

    /// Returns what differs, in words; nil if nothing does.
    static func difference(_ one: Self?, _ other: Self?) -> String? {
        guard let one, let other else { return one == nil && other == nil ? nil : "bench run and bench torture" }
        if one.isRelated != other.isRelated { return "--relations" }
        return one.limit == other.limit ? nil : "--minutes or --rounds"
    }
}
