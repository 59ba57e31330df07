/// Reads when the operations of a load begin and end, and which limits apply.
struct PaceReader {
    /// The keys that every load has.
    static let keys = [
        "duration_s", "rate_per_s", "arrivals", "ramp", "drop_after_ms", "sample_interval_s", "limits", "abort_early",
    ]

    let object: JSONObjectCursor

    func read(operations: Int?) -> PaceSpec {
        var pace = PaceSpec(operations: operations)
        pace.durationSeconds = object["duration_s"]?.number(in: ScenarioLimits.durationSeconds)
        pace.rate = rate()
        if let interval = object["sample_interval_s"]?.number(in: ScenarioLimits.sampleSeconds) {
            pace.sampleSeconds = interval
        }
        return pace
    }

    private func rate() -> RateSpec? {
        let arrivals: RateSpec.Arrivals? = object["arrivals"]?.choice("arrivals")
        let drop = object["drop_after_ms"]?.number(in: ScenarioLimits.milliseconds)
        let ramp = object["ramp"].flatMap(ramp)
        guard let cursor = object["rate_per_s"] else {
            for key in ["arrivals", "ramp", "drop_after_ms"] {
                object[key]?.refuse("\(key) without a rate", expected: "rate_per_s too")
            }
            return nil
        }
        return cursor.number(in: ScenarioLimits.ratePerSecond).map {
            RateSpec(perSecond: $0, arrivals: arrivals ?? .constant, ramp: ramp, dropAfterMilliseconds: drop)
        }
    }

    private func ramp(_ cursor: JSONCursor) -> RateSpec.Ramp? {
        let object = cursor.object(.ramp)
        let start = object["from_per_s"]?.number(in: ScenarioLimits.ratePerSecond)
        let seconds = object["duration_s"]?.number(in: ScenarioLimits.durationSeconds)
        guard let start, let seconds else { return nil }
        return RateSpec.Ramp(fromPerSecond: start, seconds: seconds)
    }
}

extension JSONCursor {
    /// Reads the service levels by the kind of operation.
    func limits() -> [String: LimitSpec] {
        let object = unswept.object(.limits)
        var limits: [String: LimitSpec] = [:]
        for key in ObjectShape.limits.keys { limits[key] = object[key].map { $0.limit() } }
        return limits
    }

    private func limit() -> LimitSpec {
        let object = object(.limit)
        var limit = LimitSpec()
        for key in LimitSpec.percentiles.keys {
            limit.milliseconds[key] = object[key]?.number(in: ScenarioLimits.milliseconds)
        }
        limit.errors = object["errors"]?.integer(in: ScenarioLimits.failures)
        limit.dropped = object["dropped"]?.integer(in: ScenarioLimits.failures)
        limit.throughputPerSecond = object["throughput_per_s"]?.number(in: ScenarioLimits.throughputPerSecond)
        return limit
    }
}
