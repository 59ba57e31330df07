/// Reads loads: operations of several workers at once, by a ledger.
struct LoadReader {
    let entity: EntitySpec
    /// Records in the store when the load starts.
    let records: Int

    /// Whether a merge is told as a load: its writers may meet, or nobody knows beforehand how many saves there will
    /// be.
    static func keepsLedger(_ work: MergeWork, _ object: JSONObjectCursor) -> Bool {
        work.mode != .notifications || (ObjectShape.ledger + ObjectShape.pace).contains { object[$0] != nil }
    }

    /// The saves of a merge.
    func saves(
        _ work: MergeWork, count: Int?, sort: [SortSpec], _ object: JSONObjectCursor
    ) throws(ScenarioError) -> LoadWork {
        var spec = SaveSpec(
            mode: work.mode, insertsPerSave: work.insertsPerSave, changesPerSave: work.changesPerSave,
            deletesPerSave: work.deletesPerSave, set: work.set, sort: sort)
        if let share = object["contention"] { spec.contention = try share.number(in: ScenarioLimits.share) }
        if let hot = object["hotRecords"] { spec.hotRecords = try hot.integer(in: ScenarioLimits.records) }
        if let window = object["windowRecords"] {
            spec.windowRecords = try window.integer(in: 0...ScenarioLimits.records.upperBound)
        }
        try check(spec, writers: work.writers, object)
        let operations = count.map { $0 * work.writers }
        return try load(.saves(spec), workers: work.writers, operations: operations, object, needed: "savesPerWriter")
    }

    /// A mix of operations.
    func mixed(_ object: JSONObjectCursor) throws(ScenarioError) -> LoadWork {
        let operations = try object.required("operations")
        var spec = MixSpec(operations: try shares(operations))
        if let keys = object["keys"] { spec.keys = try self.keys(keys) }
        if let count = object["fieldsPerUpdate"] {
            spec.fieldsPerUpdate = try count.integer(in: ScenarioLimits.fieldsPerUpdate)
        }
        if let length = object["scanLengthMax"] {
            spec.scanLengthMax = try length.integer(in: ScenarioLimits.scanLength)
        }
        let updates = [OperationKind.update, .readModifyWrite].contains { spec.operations[$0, default: 0] > 0 }
        if updates, entity.changeableAttributes.isEmpty {
            throw operations.error(
                "updates of an entity whose values are all constants and sequences",
                expected: "an attribute with a uniform or random generator")
        }
        let count = try object["operationCount"]?.integer(in: ScenarioLimits.operations)
        let workers = try object.required("workers").integer(in: ScenarioLimits.writers)
        return try load(.mix(spec), workers: workers, operations: count, object, needed: "operationCount")
    }

    private func load(
        _ source: LoadWork.Source, workers: Int, operations: Int?, _ object: JSONObjectCursor, needed: String
    ) throws(ScenarioError) -> LoadWork {
        guard RecordIdentity(entity) != nil else {
            throw object.cursor.error(
                "a load of \(entity.name), whose records nothing tells apart",
                expected: "an int64 attribute with a sequence and \"unique\": true")
        }
        guard records > 0 else {
            throw object.cursor.error("a load of a store without records", expected: "from seeded")
        }
        var pace = PaceSpec(operations: operations)
        pace.durationSeconds = try object["duration_s"]?.number(in: ScenarioLimits.durationSeconds)
        guard pace.operations != nil || pace.durationSeconds != nil else {
            throw object.cursor.error("a load without an end", expected: "\(needed) or duration_s")
        }
        pace.rate = try rate(object)
        if let interval = object["sample_interval_s"] {
            pace.sampleSeconds = try interval.number(in: ScenarioLimits.sampleSeconds)
        }
        var work = LoadWork(source: source, workers: workers, pace: pace)
        if let policy = object["policy"] { work.policy = try policy.choice("policy") }
        if let limits = object["limits"] { work.limits = try self.limits(limits) }
        if let aborts = object["abort_early"] { work.abortsEarly = try aborts.bool() }
        return work
    }
}

// MARK: - Parts

extension LoadReader {
    private func shares(_ cursor: JSONCursor) throws(ScenarioError) -> [OperationKind: Double] {
        let object = try cursor.object(.operations)
        var shares: [OperationKind: Double] = [:]
        for kind in OperationKind.single {
            if let share = object[kind.rawValue] { shares[kind] = try share.number(in: ScenarioLimits.weight) }
        }
        guard shares.values.contains(where: { $0 > 0 }) else {
            throw cursor.error("a mix of no operations", expected: "a share above 0")
        }
        return shares
    }

    /// The distributions as scenarios spell them.
    enum Distribution: String, CaseIterable {
        case uniform
        case zipfian
        case latest
        case hotSet
    }

    private func keys(_ cursor: JSONCursor) throws(ScenarioError) -> KeySpec {
        let object = try cursor.object(.keys)
        let distribution: Distribution = try object.required("distribution").choice("distribution")
        if distribution == .hotSet {
            return .hotSet(
                records: try object.required("hotRecords").integer(in: ScenarioLimits.records),
                share: try object.required("hotShare").number(in: ScenarioLimits.share))
        }
        if let extra = object["hotRecords"] ?? object["hotShare"] {
            throw extra.error("a hot set with the distribution \(distribution)", expected: "it with hotSet alone")
        }
        return switch distribution {
        case .zipfian: .zipfian
        case .latest: .latest
        case .uniform, .hotSet: .uniform
        }
    }

    private func rate(_ object: JSONObjectCursor) throws(ScenarioError) -> RateSpec? {
        guard let cursor = object["rate_per_s"] else {
            for key in ["arrivals", "ramp", "drop_after_ms"] {
                if let cursor = object[key] {
                    throw cursor.error("\(key) without a rate", expected: "it beside rate_per_s")
                }
            }
            return nil
        }
        var rate = RateSpec(perSecond: try cursor.number(in: ScenarioLimits.ratePerSecond))
        if let arrivals = object["arrivals"] { rate.arrivals = try arrivals.choice("arrivals") }
        rate.dropAfterMilliseconds = try object["drop_after_ms"]?.number(in: ScenarioLimits.milliseconds)
        if let ramp = object["ramp"] {
            let object = try ramp.object(.ramp)
            rate.ramp = RateSpec.Ramp(
                fromPerSecond: try object.required("from_per_s").number(in: ScenarioLimits.ratePerSecond),
                seconds: try object.required("duration_s").number(in: ScenarioLimits.durationSeconds))
        }
        return rate
    }

    private func limits(_ cursor: JSONCursor) throws(ScenarioError) -> [String: LimitSpec] {
        let object = try cursor.object(.limits)
        var limits: [String: LimitSpec] = [:]
        for key in ObjectShape.limits.keys {
            if let limit = object[key] { limits[key] = try self.limit(limit) }
        }
        return limits
    }

    private func limit(_ cursor: JSONCursor) throws(ScenarioError) -> LimitSpec {
        let object = try cursor.object(.limit)
        var limit = LimitSpec()
        for key in LimitSpec.percentiles.keys {
            if let time = object[key] { limit.milliseconds[key] = try time.number(in: ScenarioLimits.milliseconds) }
        }
        limit.errors = try object["errors"]?.integer(in: ScenarioLimits.failures)
        limit.dropped = try object["dropped"]?.integer(in: ScenarioLimits.failures)
        limit.throughputPerSecond = try object["throughput_per_s"]?.number(in: ScenarioLimits.throughputPerSecond)
        return limit
    }

    /// Rules between the keys of saves.
    private func check(_ spec: SaveSpec, writers: Int, _ object: JSONObjectCursor) throws(ScenarioError) {
        let most = LoadWork.changesMax(spec, records: records, workers: writers)
        if spec.changesPerSave > most {
            throw object.cursor.error(
                "saves that change \(spec.changesPerSave.grouped) records each",
                expected: "changesPerSave <= \(most.grouped), the hot set and a writer's share of the others")
        }
        if spec.deletesPerSave > spec.insertsPerSave {
            throw object.cursor.error(
                "saves that delete more than they insert",
                expected: "deletesPerSave <= insertsPerSave: a writer deletes what it has inserted")
        }
    }
}
