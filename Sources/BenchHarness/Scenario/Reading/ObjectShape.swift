/// The keys that one kind of object in a scenario has. The reader refuses every other key, and a test holds these lists
/// against the definition of the same name in `Scenarios/schema.json`.
struct ObjectShape: Sendable {
    /// The object's name in the schema and, in words, in messages.
    let name: String
    let required: [String]
    let optional: [String]

    init(_ name: String, required: [String] = [], optional: [String] = []) {
        self.name = name
        self.required = required
        self.optional = optional
    }

    var keys: [String] { required + optional }
}

extension ObjectShape {
    static let scenario = ObjectShape(
        "scenario", required: ["version", "name", "records", "entity", "phases"],
        optional: [
            "$schema", "description", "seed", "repetitions", "warmups", "isolation", "drivers", "store",
            "thresholds_percent", "growth",
        ])
    static let growth = ObjectShape("growth", required: ["maxExponent"])
    static let store = ObjectShape(
        "store",
        optional: [
            "synchronous", "cache_size_kib", "page_size_bytes", "mmap_size_bytes", "wal_autocheckpoint_pages",
            "busy_timeout_ms",
        ])
    static let thresholds = ObjectShape("thresholds", optional: Metric.all.map(\.name))
    static let entity = ObjectShape("entity", required: ["name", "attributes"], optional: ["owner"])
    static let owner = ObjectShape("owner", required: ["relationship", "inverse", "entity", "attributes", "records"])
    static let follow = ObjectShape("follow", required: ["relationship"], optional: ["prefetch"])
    static let attribute = ObjectShape(
        "attribute", required: ["name", "type", "generator"], optional: ["unique"])

    static let constant = ObjectShape("constant", required: ["kind", "value"])
    static let textSequence = ObjectShape("textSequence", required: ["kind"], optional: ["prefix"])
    static let numberSequence = ObjectShape("numberSequence", required: ["kind"], optional: ["start", "step"])
    static let dateSequence = ObjectShape("dateSequence", required: ["kind", "start", "stepSeconds"])
    static let uniform = ObjectShape("uniform", required: ["kind", "min", "max"])
    static let chance = ObjectShape("chance", required: ["kind", "probability"])
    static let random = ObjectShape("random", required: ["kind", "lengthBytes"])

    static let seed = ObjectShape(
        "seed", required: ["name", "kind", "from"], optional: ["saveEvery", "thresholds_percent"])
    static let fetch = ObjectShape(
        "fetch", required: ["name", "kind", "from", "mode"],
        optional: [
            "sort", "filter", "limit", "touch", "attributes", "follow", "cancelAfterRecords", "thresholds_percent",
        ])
    static let update = ObjectShape(
        "update", required: ["name", "kind", "from", "mode", "set"],
        optional: ["filter", "chunkSize", "thresholds_percent"])
    static let merge = ObjectShape(
        "merge",
        required: [
            "name", "kind", "from", "mode", "writers", "insertsPerSave", "changesPerSave", "deletesPerSave",
        ],
        optional: ["savesPerWriter", "set", "thresholds_percent"] + ledger + pace)
    /// The keys with which the writers of a merge keep a ledger.
    static let ledger = ["contention", "hotRecords", "policy", "windowRecords", "sort"]
    /// The keys that say when the operations of a load begin and end, and what must hold.
    static let pace = [
        "duration_s", "rate_per_s", "arrivals", "ramp", "drop_after_ms", "sample_interval_s", "limits", "abort_early",
    ]
    static let mixed = ObjectShape(
        "mixed", required: ["name", "kind", "from", "operations", "workers"],
        optional: ["keys", "operationCount", "fieldsPerUpdate", "scanLengthMax", "policy", "thresholds_percent"] + pace)
    static let operations = ObjectShape("operations", optional: OperationKind.single.map(\.rawValue))
    static let keys = ObjectShape("keys", required: ["distribution"], optional: ["hotRecords", "hotShare"])
    static let ramp = ObjectShape("ramp", required: ["from_per_s", "duration_s"])
    static let limits = ObjectShape("limits", optional: OperationKind.allCases.map(\.rawValue) + [LoadLimits.all])
    static let limit = ObjectShape(
        "limit", optional: LimitSpec.percentiles.keys.sorted() + ["errors", "dropped", "throughput_per_s"])
    static let checkpoint = ObjectShape(
        "checkpoint", required: ["name", "kind", "from"], optional: ["thresholds_percent"])

    static let sort = ObjectShape("sort", required: ["key"], optional: ["ascending"])
    static let comparison = ObjectShape("comparison", required: ["key", "op", "value"])
    static let and = ObjectShape("and", required: ["and"])
    static let or = ObjectShape("or", required: ["or"])
    static let not = ObjectShape("not", required: ["not"])
    static let toggle = ObjectShape("toggle", required: ["toggle"])
    static let add = ObjectShape("add", required: ["add"])
    static let addSeconds = ObjectShape("addSeconds", required: ["addSeconds"])

    static let all = [
        scenario, growth, store, thresholds, entity, owner, follow, attribute, constant, textSequence, numberSequence,
        dateSequence, uniform,
        chance,
        random, seed, fetch, update, merge, mixed, checkpoint, operations, keys, ramp, limits, limit, sort, comparison,
        and, or, not, toggle, add, addSeconds,
    ]
}
