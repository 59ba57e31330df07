/// The row of a load, made of those of its shards: counts and resources add up, and times are those of all operations.
/// What is a property of a single process or machine is missing.
struct MergedRow {
    let load: String
    let rows: [ResultRow]
    let kinds: [OperationKind: OperationFigures]
    let limits: [String: LimitSpec]
    /// The intervals of each shard; those of older results are missing.
    var intervals: [[LoadInterval]] = []

    var row: ResultRow {
        var merged = identity
        let total = kinds.values.reduce(into: OperationFigures()) { $0.merge($1) }
        merged.work.operations = sum(\.operations)
        merged.work.durationNanoseconds = rows.compactMap(\.durationNanoseconds).max()
        if let operations = merged.work.operations, let duration = merged.work.durationNanoseconds, duration > 0 {
            merged.work.throughput = Double(operations) / (Double(duration) / 1e9)
        }
        fillTimes(&merged, total)
        fillResources(&merged)
        for counter in Self.counters {
            merged.usage.counters[keyPath: counter] = sum((\ResultRow.usage.counters).appending(path: counter))
        }
        merged.machine.contaminated = rows.contains { $0.contaminated == true } ? true : rows[0].contaminated
        (merged.load.errors, merged.load.missing, merged.load.retries) = (sum(\.errors), sum(\.missing), sum(\.retries))
        (merged.load.late, merged.load.dropped) = (sum(\.late), sum(\.dropped))
        merged.load.scheduleLagMax = rows.compactMap(\.scheduleLagMax).max()
        let rates = rows.compactMap(\.ratePerSecond)
        merged.load.ratePerSecond = rates.count == rows.count ? rates.reduce(0, +) : nil
        if !limits.isEmpty, merged.isEvidence {
            merged.load.limits = ResultRow.limits(missed: missedLimits(merged))
        }
        merged.load.drift = drift
        return merged
    }

    /// The drift of the load as a whole: one that is too small to be told in a shard may be clear in the sum, and the
    /// other way round.
    private var drift: String {
        guard rows.count > 1, intervals.count == rows.count, intervals.allSatisfy({ !$0.isEmpty }) else {
            return inWords(\.drift)
        }
        return LoadDrift.text(LoadSample.sum(intervals))
    }

    private static var counters: [WritableKeyPath<StoreCounters, Int?>] {
        [
            \.statements, \.vmSteps, \.rows, \.pagesWritten, \.conflicts, \.syncs, \.logBytesWritten,
            \.databaseBytesWritten, \.storeMemoryPeakBytes,
        ]
    }

    private static let worstFirst: [ResultRow.Status] = [.failed, .interrupted, .unsupported]

    /// What the rows have in common, and whether all of them are evidence.
    private var identity: ResultRow {
        // What stands for the row that a stopped shard lacks is of no scenario.
        let first = rows.first { !$0.scenario.isEmpty } ?? rows[0]
        var merged = ResultRow()
        (merged.identity.run, merged.identity.scenario, merged.identity.driver, merged.identity.phase) = (
            load, first.scenario, first.driver, first.phase
        )
        (merged.identity.kind, merged.identity.mode, merged.identity.repetition) = (
            first.kind, first.mode, first.repetition
        )
        merged.outcome.status = Self.worstFirst.first { status in rows.contains { $0.status == status } } ?? .ok
        merged.outcome.verified = all(\.verified)
        merged.outcome.keepsSettings = all(\.keepsSettings)
        merged.outcome.error = inWords(\.error)
        return merged
    }

    /// Returns whether something holds for all shards; nil if one does not tell, and for no other it does not hold.
    private func all(_ fact: KeyPath<ResultRow, Bool?>) -> Bool? {
        let facts = rows.map { $0[keyPath: fact] }
        return facts.contains(false) ? false : facts.contains(nil) ? nil : true
    }

    private func fillTimes(_ merged: inout ResultRow, _ total: OperationFigures) {
        merged.work.latencyMin = total.response.min
        merged.work.latencyP50 = total.responsePercentile(50)
        merged.work.latencyP90 = total.responsePercentile(90)
        merged.work.latencyP99 = total.responsePercentile(99)
        merged.work.latencyP999 = total.responsePercentile(99.9)
        merged.work.latencyMax = total.responsePercentile(100)
        merged.load.serviceP50 = total.service.percentile(50)
        merged.load.serviceP99 = total.service.percentile(99)
        merged.load.serviceMax = total.service.max
    }

    private func fillResources(_ merged: inout ResultRow) {
        (merged.usage.cpu, merged.usage.cpuUser, merged.usage.cpuSystem) = (
            sum(\.cpu), sum(\.cpuUser), sum(\.cpuSystem)
        )
        merged.usage.switchesVoluntary = sum(\.switchesVoluntary)
        merged.usage.switchesInvoluntary = sum(\.switchesInvoluntary)
        (merged.usage.faultsMinor, merged.usage.faultsMajor) = (sum(\.faultsMinor), sum(\.faultsMajor))
        (merged.usage.instructions, merged.usage.allocations) = (sum(\.instructions), sum(\.allocations))
        merged.usage.allocatedBytes = sum(\.allocatedBytes)
        (merged.usage.residentPeakBytes, merged.usage.heap) = (sum(\.residentPeakBytes), sum(\.heap))
        (merged.usage.readBytes, merged.usage.writeBytes) = (sum(\.readBytes), sum(\.writeBytes))
        // All shards see the same files.
        merged.usage.databaseBytes = rows.compactMap(\.databaseBytes).max()
        merged.usage.logBytes = rows.compactMap(\.logBytes).max()
    }

    /// Returns the sum over all shards; nil if one lacks the figure.
    private func sum(_ figure: KeyPath<ResultRow, Int?>) -> Int? {
        let values = rows.compactMap { $0[keyPath: figure] }
        return values.count == rows.count ? values.clampedSum : nil
    }

    /// Returns a text that all shards share, or those of the shards that have one.
    private func inWords(_ text: KeyPath<ResultRow, String>) -> String {
        let texts = rows.map { $0[keyPath: text] }
        if Set(texts).count == 1 { return texts[0] }
        return texts.enumerated().filter { !$1.isEmpty }.map { "shard \($0): \($1)" }.joined(separator: "; ")
    }

    private func missedLimits(_ merged: ResultRow) -> [String] {
        let seconds = Double(merged.work.durationNanoseconds ?? 0) / 1e9
        return LoadLimits(limits: limits).missed(by: LoadFigures(kinds: kinds, seconds: seconds))
    }
}
