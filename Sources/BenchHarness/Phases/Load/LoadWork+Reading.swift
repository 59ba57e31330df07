extension LoadWork {
    static let savesKind = PhaseKind(
        "saves",
        "Writers save as fast as possible or at a rate, and keep a ledger; a main-queue context can receive their saves. "
            + "The entity needs a unique int64 sequence.",
        allowsSubentities: true, isExact: false,
        keys: [
            .required(
                "mode", .choice(SaveSpec.Mode.self),
                "The way in which a context on the main queue learns of a save."),
            SaveParts.writers,
            .optional(
                "saves_per_writer", .integer(ScenarioLimits.savesPerWriter),
                "Saves by each writer; optional with duration_s."),
        ] + SaveParts.keys + [
            .optional("contention", .share, "The share of changes that go to the hot set."),
            .optional(
                "hot_records", .records,
                "Records in the hot set, which all writers share; 100 if omitted."),
            policyKey,
            .optional(
                "window", .choice(SaveSpec.Window.self),
                "The records that the fetched results controller lists: those with the first keys, or those that come "
                    + "first in the order at the time; fixed if omitted."),
            .optional(
                "window_records", .integer(0...ScenarioLimits.records.upperBound),
                "The number of records that the fetched results controller lists; all if 0 or omitted."),
            .optional("sort", .sort),
        ] + PaceReader.keys
    ) { LoadReader(start: $1, object: $0).saves() }

    static let mixedKind = PhaseKind(
        "mixed",
        "Workers execute operations drawn from a mix, on records drawn from a distribution (YCSB). The entity needs a "
            + "unique int64 sequence.",
        allowsSubentities: true, isExact: false,
        keys: [
            .required("operations", .object(.operations)), .optional("keys", .object(.keys)),
            .required(
                "workers", .integer(ScenarioLimits.writers),
                "Concurrent workers, each with its own context or connection."),
            .optional(
                "operation_count", .integer(ScenarioLimits.operations),
                "Operations of all workers together; optional with duration_s."),
            .optional(
                "fields_per_update", .integer(ScenarioLimits.fieldsPerUpdate),
                "Attributes that an update writes; 0 means all that a generator draws; 1 if omitted."),
            .optional(
                "scan_records_max", .integer(ScenarioLimits.scanLength),
                "The maximum number of records that a scan reads; 100 if omitted."),
            policyKey,
        ] + PaceReader.keys
    ) { LoadReader(start: $1, object: $0).mixed() }

    private static let policyKey = ObjectShape.Key.optional(
        "policy", .choice(ConflictPolicy.self),
        "The store's behaviour if another writer has changed a record since it was read; error if omitted: the worker "
            + "tries again.")
}

extension ObjectShape {
    fileprivate static let operations = ObjectShape(
        "operations", "The relative share of each kind of operation; the shares need no particular sum.",
        keys: OperationKind.single.map { .optional($0.rawValue, .number(ScenarioLimits.weight)) })

    fileprivate static let keys = ObjectShape(
        "keys", "The selection of records for operations; uniform if omitted.",
        keys: [
            .required("distribution", .choice(KeySpec.Distribution.self), "The popularity of records."),
            .optional(
                "hot_records", .records,
                "The number of records in the hot set; required with the distribution hot_set, and only with it."),
            .optional(
                "hot_share", .share,
                "The share of operations on these records; required with the distribution hot_set, and only with it."),
        ])
}

/// Reads loads: operations of several workers at once, verified by a ledger.
private struct LoadReader {
    let start: PhaseStart
    let object: JSONObjectCursor
    private var entity: KnownEntity { start.entity }

    /// Reads saves of several records each.
    func saves() -> LoadWork? {
        let count = object["saves_per_writer"]?.integer()
        let mode: SaveSpec.Mode? = object["mode"]?.choice("mode")
        let writers = object["writers"]?.integer()
        let window: SaveSpec.Window? = object["window"]?.choice("window")
        let sort =
            window == .head
            ? object["sort"]?.totalSort(by: entity, of: "the head") : object["sort"].map { $0.sort(by: entity) }
        let contention = object["contention"]?.number()
        let hot = object["hot_records"]?.integer()
        let windowRecords = object["window_records"]?.integer()
        let pace = PaceReader(object: object).read(operations: count.map { $0 * (writers ?? 1) })
        checkEnd("saves_per_writer")
        guard let parts = SaveParts(object, entity), let mode, let writers else { return nil }
        var spec = SaveSpec(
            mode: mode, insertsPerSave: parts.inserts, changesPerSave: parts.changes, deletesPerSave: parts.deletes,
            set: parts.set, sort: sort ?? [])
        if let contention { spec.contention = contention }
        if let hot { spec.hotRecords = hot }
        if let windowRecords { spec.windowRecords = windowRecords }
        spec.window = window
        check(spec, writers: writers)
        return load(.saves(spec), workers: writers, pace)
    }

    /// Reads a mix of single operations.
    func mixed() -> LoadWork? {
        var spec = MixSpec(operations: object["operations"].map(shares) ?? [:])
        spec.keys = object["keys"].flatMap(keys) ?? .uniform
        if let count = object["fields_per_update"]?.integer() {
            spec.fieldsPerUpdate = count
        }
        if let length = object["scan_records_max"]?.integer() {
            spec.scanLengthMax = length
        }
        let count = object["operation_count"]?.integer()
        let pace = PaceReader(object: object).read(operations: count)
        checkEnd("operation_count")
        let workers = object["workers"]?.integer()
        return load(.mix(spec), workers: workers ?? 1, pace)
    }

    private func load(_ source: LoadWork.Source, workers: Int, _ pace: PaceSpec) -> LoadWork {
        if entity.isSound, RecordIdentity(entity.spec) == nil {
            object.cursor.refuse(
                "a load of \(entity.spec.name), whose records no key identifies",
                expected: "an int64 attribute with a sequence and \"unique\": true")
        }
        // The audit knows what the generator makes, and what the workers wrote.
        if !start.state.isOfFile, start.state.isAltered || start.state.isUpdated {
            start.from?.refuse("a load of records that phases before have changed", expected: "seeded")
        }
        if start.state.records == 0 {
            object.cursor.refuse("a load of a store without records", expected: "from seeded")
        }
        var work = LoadWork(source: source, workers: workers, pace: pace)
        work.policy = object["policy"]?.choice("policy") ?? .error
        work.limits = object["limits"].map { $0.limits() } ?? [:]
        work.abortsEarly = object["abort_early"]?.bool() ?? false
        return work
    }

    private func checkEnd(_ needed: String) {
        guard object[needed] == nil, object["duration_s"] == nil else { return }
        object.cursor.refuse("a load without an end", expected: "\(needed) or duration_s")
    }

    /// Checks the rules between the keys of saves.
    private func check(_ spec: SaveSpec, writers: Int) {
        if let cursor = object["window"], let window = spec.window {
            if spec.mode != .controller {
                cursor.refuse("a window in mode \(spec.mode.rawValue)", expected: "mode controller")
            }
            if window == .head, spec.windowRecords == 0 || object["sort"] == nil {
                cursor.refuse("a window at the head of all records", expected: "window_records above 0, and sort")
            }
        }
        if let records = start.state.records, records > 0 {
            let most = LoadWork.changesMax(spec, records: records, workers: writers)
            if spec.changesPerSave > most {
                object.cursor.refuse(
                    "saves that change \(spec.changesPerSave.grouped) records each",
                    expected: "changes_per_save <= \(most.grouped), the hot set and a writer's share of the others")
            }
        }
        if spec.deletesPerSave > spec.insertsPerSave {
            object.cursor.refuse(
                "saves that delete more than they insert",
                expected: "deletes_per_save <= inserts_per_save: a writer deletes what it has inserted")
        }
    }
}

// MARK: - Mixes

extension LoadReader {
    private func shares(_ cursor: JSONCursor) -> [OperationKind: Double] {
        let (shares, isSound) = cursor.problems.watching {
            let object = cursor.object(.operations)
            return OperationKind.single.reduce(into: [:]) { shares, kind in
                shares[kind] = object[kind.rawValue]?.number()
            }
        }
        if isSound, !shares.values.contains(where: { $0 > 0 }) {
            cursor.refuse("a mix of no operations", expected: "a share above 0")
        }
        let updates = [OperationKind.update, .readModifyWrite].contains { shares[$0, default: 0] > 0 }
        if updates, entity.isSound, entity.spec.changeableAttributes.values.contains(where: \.isEmpty) {
            cursor.refuse(
                "updates of an entity without a value to draw",
                expected: "an attribute with a uniform, random, choice or words generator")
        }
        return shares
    }

    private func keys(_ cursor: JSONCursor) -> KeySpec? {
        let object = cursor.object(.keys)
        guard let distribution: KeySpec.Distribution = object["distribution"]?.choice("distribution") else {
            return nil
        }
        if distribution != .hotSet, let extra = object["hot_records"] ?? object["hot_share"] {
            extra.refuse(
                "a hot set with the distribution \(distribution.rawValue)", expected: "the distribution hot_set")
        }
        switch distribution {
        case .uniform: return .uniform
        case .zipfian: return .zipfian
        case .latest: return .latest
        case .hotSet:
            for key in ["hot_records", "hot_share"] where object[key] == nil {
                cursor.refuse("the key \(key.quoted) is missing", expected: "hot_records and hot_share for hot_set")
            }
            let records = object["hot_records"]?.integer()
            let share = object["hot_share"]?.number()
            guard let records, let share else { return nil }
            return .hotSet(records: records, share: share)
        }
    }
}

extension KeySpec {
    /// The distributions with their names in scenarios.
    enum Distribution: String, CaseIterable {
        case uniform
        case zipfian
        case latest
        case hotSet = "hot_set"
    }
}
