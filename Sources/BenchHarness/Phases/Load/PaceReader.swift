/// Reads when the operations of a load begin and end, and which limits apply.
struct PaceReader {
    /// The keys that every load has.
    static let keys: [ObjectShape.Key] = [
        .optional(
            "duration_s", .number(ScenarioLimits.durationSeconds), "Seconds after which no operation starts."),
        .optional(
            "rate_per_s", .number(ScenarioLimits.ratePerSecond),
            "Intended starts of operations per second, of all workers together; if omitted, each operation starts "
                + "when the worker's previous one ends."),
        .optional(
            "arrivals", .choice(RateSpec.Arrivals.self),
            "The distribution of intended starts; constant if omitted."),
        .optional("ramp", .object(.ramp)),
        .optional(
            "drop_after_ms", .number(ScenarioLimits.milliseconds),
            "An operation that cannot start within this number of milliseconds is dropped; if omitted, none is."),
        .optional(
            "sample_interval_s", .number(ScenarioLimits.sampleSeconds),
            "Seconds between the samples of the time series; 1 if omitted."),
        .optional("limits", .object(.limits)),
        .optional(
            "abort_early", .bool, "Whether the load ends as soon as a limit is missed; false if omitted."),
    ]

    let object: JSONObjectCursor

    func read(operations: Int?) -> PaceSpec {
        var pace = PaceSpec(operations: operations)
        pace.durationSeconds = object["duration_s"]?.number()
        pace.rate = rate()
        if let interval = object["sample_interval_s"]?.number() {
            pace.sampleSeconds = interval
        }
        return pace
    }

    private func rate() -> RateSpec? {
        let arrivals: RateSpec.Arrivals? = object["arrivals"]?.choice("arrivals")
        let drop = object["drop_after_ms"]?.number()
        let ramp = object["ramp"].flatMap(ramp)
        guard let cursor = object["rate_per_s"] else {
            for key in ["arrivals", "ramp", "drop_after_ms"] {
                object[key]?.refuse("\(key) without a rate", expected: "rate_per_s too")
            }
            return nil
        }
        return cursor.number().map {
            RateSpec(perSecond: $0, arrivals: arrivals ?? .constant, ramp: ramp, dropAfterMilliseconds: drop)
        }
    }

    private func ramp(_ cursor: JSONCursor) -> RateSpec.Ramp? {
        let object = cursor.object(.ramp)
        let start = object["from_per_s"]?.number()
        let seconds = object["duration_s"]?.number()
        guard let start, let seconds else { return nil }
        return RateSpec.Ramp(fromPerSecond: start, seconds: seconds)
    }
}

extension ObjectShape {
    static let ramp = ObjectShape(
        "ramp", "A linear increase to rate_per_s.",
        keys: [
            .required("from_per_s", .number(ScenarioLimits.ratePerSecond)),
            .required("duration_s", .number(ScenarioLimits.durationSeconds)),
        ])

    static let limits = ObjectShape(
        "limits", "Service levels, by the kind of operation; all means every operation.",
        keys: (OperationKind.allCases.map(\.rawValue) + [LoadLimits.all]).map { .optional($0, .object(limit)) })

    static let limit = ObjectShape(
        "limit", "The conditions at the end; times are response times, measured from the intended start.",
        keys: LimitSpec.percentiles.sorted { $0.value < $1.value }.map {
            .optional($0.key, .number(ScenarioLimits.milliseconds, isSwept: false))
        } + [
            .optional(
                "errors", .integer(ScenarioLimits.failures, isSwept: false), "Operations that may fail."),
            .optional(
                "dropped", .integer(ScenarioLimits.failures, isSwept: false), "Operations that may be dropped."),
            .optional(
                "throughput_per_s", .number(ScenarioLimits.throughputPerSecond, isSwept: false),
                "The minimum number of operations per second."),
        ])
}

extension JSONCursor {
    /// Reads the service levels by the kind of operation.
    func limits() -> [String: LimitSpec] {
        let object = object(.limits)
        var limits: [String: LimitSpec] = [:]
        for key in ObjectShape.limits.keys { limits[key] = object[key].map { $0.limit() } }
        return limits
    }

    private func limit() -> LimitSpec {
        let object = object(.limit)
        var limit = LimitSpec()
        for key in LimitSpec.percentiles.keys {
            limit.milliseconds[key] = object[key]?.number()
        }
        limit.errors = object["errors"]?.integer()
        limit.dropped = object["dropped"]?.integer()
        limit.throughputPerSecond = object["throughput_per_s"]?.number()
        return limit
    }
}
