/// The keys of one kind of object in a scenario. The reader refuses every other key, and a test compares these lists
/// with the definition of the same name in `Scenarios/schema.json`.
struct ObjectShape: Sendable {
    /// The object's name in the schema and, as words, in messages.
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
            "thresholds_percent", "growth", "entities",
        ])
    static let growth = ObjectShape("growth", required: ["max_exponent"])
    static let store = ObjectShape(
        "store",
        optional: [
            "synchronous", "cache_size_kib", "page_size_bytes", "mmap_size_bytes", "wal_autocheckpoint_pages",
            "busy_timeout_ms",
        ])
    static let thresholds = ObjectShape("thresholds", optional: Metric.all.map(\.name))
    static let entity = ObjectShape(
        "entity", required: ["name", "attributes"], optional: ["owner", "relationships", "subentities"])
    static let subentity = ObjectShape("subentity", required: ["name", "share", "attributes"])
    static let otherEntity = ObjectShape(
        "otherEntity", required: ["name", "records", "attributes"], optional: ["relationships"])
    static let relationship = ObjectShape(
        "relationship", required: ["name", "to", "inverse"],
        optional: ["cascade", "ordered", "count", "count_max", "distribution"])
    static let owner = ObjectShape(
        "owner", required: ["relationship", "inverse", "entity", "attributes", "records"], optional: ["distribution"])
    static let follow = ObjectShape("follow", required: ["relationship"], optional: ["prefetch"])
    static let attribute = ObjectShape(
        "attribute", required: ["name", "type", "generator"], optional: ["unique", "indexed", "null_share"])

    static let constant = ObjectShape("constant", required: ["kind", "value"])
    static let textSequence = ObjectShape("textSequence", required: ["kind"], optional: ["prefix"])
    static let numberSequence = ObjectShape("numberSequence", required: ["kind"], optional: ["start", "step"])
    static let dateSequence = ObjectShape("dateSequence", required: ["kind", "start", "step_s"])
    static let uniform = ObjectShape("uniform", required: ["kind", "min", "max"])
    static let chance = ObjectShape("chance", required: ["kind", "probability"])
    static let random = ObjectShape(
        "random", required: ["kind", "length_bytes"], optional: ["length_bytes_max"])
    static let choice = ObjectShape("choice", required: ["kind", "values"], optional: ["weights"])
    static let words = ObjectShape("words", required: ["kind", "count"], optional: ["count_max", "vocabulary"])
    static let ascending = ObjectShape("ascending", required: ["kind", "start", "step_s"])

    /// Returns the shape of a phase of some kind: its own keys, and those that every phase has. A phase that is about
    /// the whole store names no entity.
    static func phase(
        _ kind: String, required: [String] = [], optional: [String] = [], isOfAll: Bool = false
    ) -> ObjectShape {
        ObjectShape(
            kind, required: ["name", "kind", "from"] + required,
            optional: optional + (isOfAll ? [] : ["entity"]) + ["thresholds_percent"])
    }

    static let storeFile = ObjectShape("storeFile", required: ["file"])
    static let operations = ObjectShape("operations", optional: OperationKind.single.map(\.rawValue))
    static let keys = ObjectShape("keys", required: ["distribution"], optional: ["hot_records", "hot_share"])
    static let ramp = ObjectShape("ramp", required: ["from_per_s", "duration_s"])
    static let limits = ObjectShape("limits", optional: OperationKind.allCases.map(\.rawValue) + [LoadLimits.all])
    static let limit = ObjectShape(
        "limit", optional: LimitSpec.percentiles.keys.sorted() + ["errors", "dropped", "throughput_per_s"])
    static let sort = ObjectShape("sort", required: ["key"], optional: ["ascending"])
    static let comparison = ObjectShape(
        "comparison", required: ["key", "op", "value"], optional: ["ignore_case"])
    static let and = ObjectShape("and", required: ["and"])
    static let or = ObjectShape("or", required: ["or"])
    static let not = ObjectShape("not", required: ["not"])
    static let toggle = ObjectShape("toggle", required: ["toggle"])
    static let add = ObjectShape("add", required: ["add"])
    static let addSeconds = ObjectShape("addSeconds", required: ["add_s"])
    static let draw = ObjectShape("draw", required: ["generator"])

    static let all =
        [
            scenario, growth, store, thresholds, entity, subentity, otherEntity, relationship, owner, follow, attribute,
            constant, textSequence, numberSequence, dateSequence, uniform, chance, random, choice, words, ascending,
            storeFile, operations,
            keys, ramp, limits, limit, sort, comparison, and, or, not, toggle, add, addSeconds, draw,
        ] + PhaseKind.all.map(\.shape)
}
