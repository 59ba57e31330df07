import Dispatch

extension MergeWork: PhaseWork, SingleWork {
    var modeName: String { "notifications" }
    var lanes: Int { writers }
    /// A context merges while the writers save.
    var usesSeveralCores: Bool { true }
    var changes: [AttributeChange] { self.set }
    var capabilities: [Capability] { [.merging] }
    var usesKeys: Bool { true }
    var makesRecords: Bool { insertsPerSave > 0 }
    var deletesRecords: Bool { deletesPerSave > 0 }
    var extent: RecordWalk.Extent { .slices }

    func scaled(_ scale: Scaling) -> Self {
        var work = self
        work.insertsPerSave = scale.count(insertsPerSave)
        work.changesPerSave = min(scale.count(changesPerSave), scale.records)
        work.deletesPerSave = min(scale.count(deletesPerSave), scale.records - work.changesPerSave)
        let perSave = work.changesPerSave + work.deletesPerSave
        guard perSave > 0 else { return work }
        // Enough records must remain to keep the saves apart.
        work.writers = min(writers, scale.records / perSave)
        work.savesPerWriter = min(savesPerWriter, scale.records / (work.writers * perSave))
        return work
    }

    func state(after state: StoreState, seeding records: Int?) -> StoreState {
        // The writer that saves first gets the next keys.
        let isRace = writers > 1 && insertsPerSave > 0
        return StoreState(
            records: state.records.map { $0 + saves * (insertsPerSave - deletesPerSave) }, isAltered: true,
            keysLostIn: isRace ? "a merge of several writers, whose race decides the keys of new records" : nil)
    }

    func queue(of session: any MergingSession) -> DispatchQueue { session.mergeQueue }

    func prepare(_ session: any MergingSession, _ scenario: Scenario) throws -> MergePlan {
        let plan = MergePlan.make(work: self, records: scenario.records, seed: scenario.seed)
        try session.prepareMerge(plan)
        return plan
    }

    func perform(
        _ session: any MergingSession, _ plan: MergePlan, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        try session.merge(plan, monitor: monitor)
    }

    func apply(to expected: inout ExpectedStore, _ plan: MergePlan, _ scenario: Scenario) -> Int? {
        expected.apply(plan)
        return plan.saves.reduce(0) { $0 + $1.inserts.count + $1.changes.count + $1.deletes.count }
    }

    func problems(_ outcome: PhaseOutcome, _ plan: MergePlan) throws -> [String] {
        try missingSaves(outcome, plan) + mergeProblems(outcome, plan) + outcome.storeProblems()
    }

    /// Returns the problem of a merge whose driver did not report each save, or did not make it. Percentiles would be
    /// blank, or those of some saves.
    private func missingSaves(_ outcome: PhaseOutcome, _ plan: MergePlan) -> [String] {
        let (planned, reported) = (plan.saves.count, outcome.observations.latencies.count)
        guard reported == planned else { return ["the driver reported \(reported) saves; expected \(planned)"] }
        return outcome.missingCommits(plan.leastCommits)
    }

    private func mergeProblems(_ outcome: PhaseOutcome, _ plan: MergePlan) throws -> [String] {
        var digester = RecordDigester()
        let unread = try outcome.digestFetched(into: &digester)
        let wanted = outcome.expected.mergedDigest(plan)
        let found = digester.digest
        guard found.count == wanted.count else {
            return ["the merging context holds \(found.count) changed and inserted records; expected \(wanted.count)"]
        }
        let isRight = found.unordered == wanted.unordered
        return (isRight ? [] : ["the merging context does not hold the saved values"]) + unread
    }
}
