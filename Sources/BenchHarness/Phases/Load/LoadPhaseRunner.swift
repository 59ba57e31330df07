import Foundation

/// Runs one load in an open session: prepares it, measures it, and proves that nothing was lost.
struct LoadPhaseRunner {
    let work: LoadWork
    let setting: PhaseSetting
    private var scenario: Scenario { setting.scenario }

    /// Runs the load on a store that holds what is expected.
    ///
    /// - Returns: What is wrong with the outcome; empty if all is well.
    func run(
        _ session: any StoreSession, expected: ExpectedStore, report: inout ReportDraft
    ) throws -> [String] {
        let able = try session.offering((any LoadingSession).self)
        let watching = work.isWatched ? try session.offering((any WatchingSession).self) : nil
        let identity = try RecordIdentity(of: scenario.entity)
        let clock = setting.instruments.clock
        let monitor = LoadMonitor(clock: clock)
        let round = setting.round
        let sampling = setting.verifies ? setting.salt.map { TraceSampling(salt: $0) } ?? TraceSampling() : nil
        let engine = LoadEngine(
            work, scenario: scenario, session: able, clock: clock, shard: round?.shard ?? .whole,
            seed: setting.operationSeed, sampling: sampling)
        let start = clock.now()
        try watching?.prepareLoad(work, monitor: monitor)
        engine.makeWorkers()
        report.outsideClock.preparation = clock.now() - start
        // The workers wait for the load, so it runs even if the store is not as it should be.
        let early = Result {
            try round?.awaitOpening()
            var expected = expected
            return round?.isFirst == false ? [] : try setting.earlyChanges(session, &expected)
        }
        let agreed = Result { try round?.agree(clock) }
        var measurement = PhaseMeasurement()
        // Other processes may still write when the clock of this one has stopped.
        measurement.followsLogs = setting.verifies && round == nil
        var samples: [LoadSample] = []
        var begun = 0
        let beginning = (try? agreed.get()).map { start in
            {
                begun = start.await(clock)
                return begun
            }
        }
        // Without an agreement the workers do nothing, but they have to end.
        if case .failure = agreed { engine.stop() }
        var (figures, accounts) = try measure(engine, able, watching, beginning, &measurement) {
            setting.onSample($0)
            // Held here, the times would count as memory that grows.
            var sample = $0
            sample.figures = nil
            samples.append(sample)
        }
        let common = try agreed.get()
        figures.monitor = monitor.observations
        figures.missedLimits = LoadLimits(limits: work.limits).missed(by: figures)
        note(&report, figures, measurement, drift: LoadDrift.text(samples))
        guard let sampling else {
            // Operations that failed have no time.
            if let problem = problems(with: figures).first { throw RunError(.phase, problem) }
            return []
        }
        let children = setting.awaitWork(after: measurement, of: session, &report)
        let records = InitialRecords(generator: expected.generator, planted: expected.planted)
        let late = measurement.logs?.lateChanges() ?? []
        let own =
            try early.get() + children + late + problems(with: figures)
            + UnreportedMerges(work, of: scenario.entity).problems(figures, accounts.map(\.ledger))
            + (watching?.checkLoad() ?? [])
        return try judge(accounts, sampling, round, common, begun: begun, own) { ledgers, traces, sampling, lost in
            let surroundings = LoadSurroundings(of: expected, during: [work])
            let problems = try auditProblems(ledgers, records, identity, able, surroundings, without: lost)
            // A read may have found what a lost shard wrote.
            if !lost.isEmpty { return problems + [LedgerAudit.limits(without: lost) + ", and what was read"] }
            return problems + readProblems(traces, records, identity, salt: sampling.salt)
        }
    }

    /// Returns what is wrong with what the workers of all processes did.
    ///
    /// - Parameter own: What is wrong with what those of this process did.
    private func judge(
        _ accounts: [LoadAccount], _ sampling: TraceSampling, _ round: LoadRound?, _ start: LoadRound.Start?,
        begun: Int, _ own: [String], _ audit: LoadRound.Audit
    ) throws -> [String] {
        if let round, let start {
            return try round.judge(accounts, sampling, start, begun: begun, own, setting.instruments.clock, audit)
        }
        return try own + audit(accounts.map(\.ledger), accounts.compactMap(\.trace), sampling, [])
    }

    /// Measures the load; the clock runs until every save is merged.
    private func measure(
        _ engine: LoadEngine, _ session: any LoadingSession, _ watching: (any WatchingSession)?,
        _ beginning: (() throws -> Int)?, _ result: inout PhaseMeasurement, sampling: (LoadSample) -> Void
    ) throws -> (LoadFigures, [LoadAccount]) {
        let instruments = setting.instruments
        let probe = LoadProbe(probe: instruments.probe, directory: setting.directory)
        try result.measure(
            session, queue: watching?.mergeQueue ?? .main, in: setting.directory, with: instruments,
            beginning: beginning
        ) { _ in
            engine.run(sampling: sampling, probe: probe)
            try watching?.endLoad()
        }
        return engine.results(seconds: Double(result.duration) / 1e9)
    }

    private func note(
        _ report: inout ReportDraft, _ figures: LoadFigures, _ measurement: PhaseMeasurement, drift: String
    ) {
        var measurement = measurement
        let total = figures.total
        measurement.observations.latencies = total.response
        // Without saves to merge, the load does not use the queue that was observed.
        if !work.isWatched { measurement.stalls = QueueStalls() }
        let pace = work.pace.share(of: setting.round?.shard ?? .whole)
        // Limits are those of the whole load.
        let hasLimits = !work.limits.isEmpty && setting.round == nil
        let (monitor, pacer) = (figures.monitor, pace.rate == nil ? nil : figures.pacer)
        report.load = ResultRow.Load(
            serviceP50: total.service.percentile(50), serviceP99: total.service.percentile(99),
            serviceMax: total.service.max, errors: total.errors, missing: total.missing, retries: figures.retries,
            ratePerSecond: pace.rate?.perSecond, late: pacer?.late, dropped: pacer?.dropped,
            scheduleLagMax: pacer?.lagMax, mergeP50: monitor.merged.percentile(50),
            mergeP99: monitor.merged.percentile(99), mergeMax: monitor.merged.max,
            delegateP50: monitor.delegate.percentile(50), delegateP99: monitor.delegate.percentile(99),
            delegateMax: monitor.delegate.max,
            limits: hasLimits ? ResultRow.limits(missed: figures.missedLimits) : "", drift: drift)
        report.operations = figures.kinds
        // A shard may have no operation at all, which adds nothing to those of the others.
        report.note(
            measurement, records: nil, unanswered: total.unanswered,
            leastCount: setting.round == nil ? 1 : 0)
    }

    /// Returns the problems of a load: failed operations are a failure, unless a limit sets how many may fail.
    private func problems(with figures: LoadFigures) -> [String] {
        var problems = figures.failures + figures.monitor.failures
        let errors = figures.total.errors
        if errors > 0, !work.limits.values.contains(where: { $0.errors != nil }) {
            problems.append(
                "\(errors) operations failed: " + figures.errorReasons.withoutRepeats.joined(separator: "; "))
        }
        return problems
    }

    private func auditProblems(
        _ ledgers: [Ledger], _ records: InitialRecords, _ identity: RecordIdentity, _ session: any LoadingSession,
        _ surroundings: LoadSurroundings?, without lost: Set<Int>
    ) throws -> [String] {
        var audit = LedgerAudit(
            ledgers, of: records, identity: identity, seeded: scenario.records, policy: work.policy,
            set: work.saves?.set ?? [], unaccounted: UnaccountedLanes(lost) { $0.number })
        var surroundings = surroundings
        let check = { (record: StoredRecord) in
            audit.check(record)
            surroundings?.add(record)
        }
        guard let inspector = setting.witness.inspector else {
            try session.forEachRecord(check)
            guard let surroundings else { return try session.checkIntegrity() + audit.finish() }
            let found = try StoreInspection(by: session)
            return found.problems + surroundings.problems(found.content) + audit.finish()
        }
        try inspector.forEachRecord(check)
        guard let surroundings else { return try inspector.checkIntegrity() + audit.finish() }
        let found = try StoreInspection(by: inspector)
        return found.problems + surroundings.problems(found.content) + audit.finish()
    }

    private func readProblems(
        _ traces: [LoadTrace], _ records: InitialRecords, _ identity: RecordIdentity, salt: UInt64
    ) -> [String] {
        var audit = ReadAudit(
            traces, of: records, identity: identity, seeded: scenario.records, policy: work.policy, salt: salt,
            needsVersions: setting.witness.inspector?.countsVersions ?? false)
        return audit.problems()
    }
}
