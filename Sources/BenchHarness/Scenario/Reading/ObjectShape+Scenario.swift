extension ObjectShape {
    static let scenario = ObjectShape(
        "scenario",
        keys: [
            .optional(
                "$schema", .text(lengthMax: ScenarioLimits.textLength), "The location of this schema, for editors."),
            .required("version", .constant(.integer(ScenarioReader.version)), "The version of the format."),
            .required("name", .fileNamePart),
            .optional("description", .text(lengthMax: ScenarioLimits.descriptionLength), "One or two sentences."),
            .optional(
                "seed",
                .schema([
                    ("type", .string("integer")), ("minimum", .integer(0)), ("maximum", .literal("\(UInt64.max)")),
                ]),
                "Seeds every generator and the order in which drivers take turns; 1 if omitted."),
            .required(
                "records", .sizes,
                "Records in a seeded store; or several numbers in ascending order, for each of which all phases run."),
            .optional("growth", .object(growth)),
            .optional(
                "repetitions", .integer(ScenarioLimits.repetitions, isSwept: false),
                "Measured runs of each driver; 1 if omitted."),
            .optional(
                "warmups", .integer(ScenarioLimits.warmups, isSwept: false),
                "Runs of each driver before the measured ones, which are not recorded; 0 if omitted."),
            .optional(
                "isolation", .choice(Isolation.self),
                "Whether the phases of each repetition of a driver run in separate processes, except those that "
                    + "continue from the previous phase; process if omitted."),
            .optional(
                "drivers", .list(of: .fileNamePart, ScenarioLimits.drivers, isDistinct: true),
                "The drivers to run; all of them if omitted."),
            .optional("store", .object(store)),
            .required(
                "entities", .list(of: .object(entity), ScenarioLimits.entities),
                "The entities of the store. Phases are about the first unless they name another."),
            .required("phases", .list(of: .phase, ScenarioLimits.phases), "The work, in order."),
            .optional("thresholds_percent", .object(thresholds)),
        ])

    static let growth = ObjectShape(
        "growth", "The allowed growth of durations and memory over at least three numbers of records.",
        keys: [
            .required(
                "max_exponent", .number(ScenarioLimits.exponent, isSwept: false),
                "The largest allowed b, where a figure grows like the b-th power of the number of records; 1 is "
                    + "proportional growth.")
        ])

    static let store = ObjectShape(
        "store", "The settings with which every driver opens its store.",
        keys: [
            .optional(
                "synchronous", .choice(StoreOptions.Synchronous.self), "PRAGMA synchronous; normal if omitted."),
            .optional(
                "cache_size_kib", .integer(ScenarioLimits.cacheSizeKiB),
                "PRAGMA cache_size, per connection; 2000 if omitted."),
            .optional(
                "page_size_bytes", .oneNumber(of: ScenarioLimits.pageSizeBytes),
                "PRAGMA page_size; 4096 if omitted."),
            .optional(
                "mmap_size_bytes", .integer(ScenarioLimits.mmapSizeBytes),
                "PRAGMA mmap_size; 0 turns memory mapping off; 0 if omitted."),
            .optional(
                "wal_autocheckpoint_pages", .integer(ScenarioLimits.walAutocheckpointPages),
                "PRAGMA wal_autocheckpoint; 0 turns it off; 1000 if omitted."),
            .optional(
                "busy_timeout_ms", .integer(ScenarioLimits.busyTimeoutMilliseconds),
                "The time to wait for a lock that another connection holds; 5000 if omitted."),
        ])

    static let thresholds = ObjectShape(
        "thresholds",
        "The percentage by which a metric may get worse before a comparison reports a regression. A threshold of "
            + "duration holds as well for cpu, and for the throughput or latency_p50 of a load that is judged in its "
            + "place, unless these have their own.",
        keys: Metric.all.map { .optional($0.name, .number(ScenarioLimits.thresholdPercent, isSwept: false)) })
}

extension ValueShape {
    /// A number of records, or several at which every phase runs.
    fileprivate static var sizes: ValueShape {
        let size = ValueShape.integer(ScenarioLimits.records, isSwept: false)
        return .any([size, .list(of: size, ScenarioLimits.sizes, isDistinct: true)])
    }
}
