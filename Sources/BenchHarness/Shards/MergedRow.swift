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
        merged.operations = sum(\.operations)
        merged.durationNanoseconds = rows.compactMap(\.durationNanoseconds).max()
        if let operations = merged.operations, let duration = merged.durationNanoseconds, duration > 0 {
            merged.throughput = Double(operations) / (Double(duration) / 1e9)
        }
        fillTimes(&merged, total)
        fillResources(&merged)
        for counter in Self.counters {
            merged.counters[keyPath: counter] = sum((\ResultRow.counters).appending(path: counter))
        }
        merged.contaminated = rows.contains { $0.contaminated == true } ? true : rows[0].contaminated
        (merged.errors, merged.missing, merged.retries) = (sum(\.errors), sum(\.missing), sum(\.retries))
        (merged.late, merged.dropped) = (sum(\.late), sum(\.dropped))
        merged.scheduleLagMax = rows.compactMap(\.scheduleLagMax).max()
        let rates = rows.compactMap(\.ratePerSecond)
        merged.ratePerSecond = rates.count == rows.count ? rates.reduce(0, +) : nil
        if !limits.isEmpty, merged.isEvidence { merged.judge(missed: missedLimits(merged)) }
        merged.drift = drift
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
        (merged.run, merged.scenario, merged.driver, merged.phase) = (load, first.scenario, first.driver, first.phase)
        (merged.kind, merged.mode, merged.repetition) = (first.kind, first.mode, first.repetition)
        merged.status = Self.worstFirst.first { status in rows.contains { $0.status == status } } ?? .ok
        merged.verified = all(\.verified)
        merged.keepsSettings = all(\.keepsSettings)
        merged.error = inWords(\.error)
        return merged
    }

    /// Returns whether something holds for all shards; nil if one does not tell, and for no other it does not hold.
    private func all(_ fact: KeyPath<ResultRow, Bool?>) -> Bool? {
        let facts = rows.map { $0[keyPath: fact] }
        return facts.contains(false) ? false : facts.contains(nil) ? nil : true
    }

    private func fillTimes(_ merged: inout ResultRow, _ total: OperationFigures) {
        merged.latencyMin = total.response.min
        merged.latencyP50 = total.responsePercentile(50)
        merged.latencyP90 = total.responsePercentile(90)
        merged.latencyP99 = total.responsePercentile(99)
        merged.latencyP999 = total.responsePercentile(99.9)
        merged.latencyMax = total.responsePercentile(100)
        merged.serviceP50 = total.service.percentile(50)
        merged.serviceP99 = total.service.percentile(99)
        merged.serviceMax = total.service.max
    }

    private func fillResources(_ merged: inout ResultRow) {
        (merged.cpu, merged.cpuUser, merged.cpuSystem) = (sum(\.cpu), sum(\.cpuUser), sum(\.cpuSystem))
        merged.switchesVoluntary = sum(\.switchesVoluntary)
        merged.switchesInvoluntary = sum(\.switchesInvoluntary)
        (merged.faultsMinor, merged.faultsMajor) = (sum(\.faultsMinor), sum(\.faultsMajor))
        (merged.instructions, merged.allocations) = (sum(\.instructions), sum(\.allocations))
        merged.allocatedBytes = sum(\.allocatedBytes)
        (merged.residentPeakBytes, merged.heap) = (sum(\.residentPeakBytes), sum(\.heap))
        (merged.readBytes, merged.writeBytes) = (sum(\.readBytes), sum(\.writeBytes))
        // All shards see the same files.
        merged.databaseBytes = rows.compactMap(\.databaseBytes).max()
        merged.logBytes = rows.compactMap(\.logBytes).max()
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
        let seconds = Double(merged.durationNanoseconds ?? 0) / 1e9
        return LoadLimits(limits: limits).missed(by: LoadFigures(kinds: kinds, seconds: seconds))
    }
}
