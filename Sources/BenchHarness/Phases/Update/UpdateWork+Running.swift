import Dispatch

extension UpdateWork: PhaseWork, SingleWork {
    static let kind = PhaseKind(
        "update", "Changes records.", allowsFiles: true,
        keys: [
            .required("mode", .choice(Mode.self), "The way in which records are changed."),
            .required("set", .changes), .optional("filter", .filter),
            .optional("chunk_records", .records, "Records per chunk, in mode chunked; 10000 if omitted."),
        ]
    ) { object, start in
        let filter = start.filter(object)
        let chunk = object["chunk_records"]?.integer()
        guard let mode: Mode = object["mode"]?.choice("update mode") else { return nil }
        // One statement has no value for each record.
        let changes = object["set"].map { set in
            set.changes(
                of: start.entity,
                drawing: mode == .batch
                    ? nil : { AttributeDraw.seed(start.seed, phase: start.name, attribute: $0) },
                links: mode != .batch)
        }
        let links = mode == .batch ? nil : object["set"]?.links(of: start.entity)
        if mode != .chunked {
            object["chunk_records"]?.refuse(
                "chunk_records in mode \(mode.rawValue)", expected: "mode chunked")
        }
        let work = UpdateWork(
            mode: mode, set: changes ?? [], links: links ?? [], filter: filter, chunkSize: chunk ?? 10_000)
        if mode == .chunked, let path = filter?.path(toOthers: work.changedMembers, start.entity.schema) {
            object["filter"]?.refuse(
                "a condition on \(path.quoted), which earlier chunks change in other records",
                expected: "another mode, or a condition on what the phase does not change")
        }
        return work
    }

    var modeName: String { mode.rawValue }
    var changes: [AttributeChange] { self.set }
    var changedMembers: [String] { self.set.map(\.attribute) + (links ?? []).map(\.relationship) }
    var capabilities: [Capability] { [.updating] + (links == nil ? [] : [.linking]) }

    func state(after state: StoreState, seeding records: Int?) -> StoreState {
        var state = state
        state.isUpdated = true
        return state
    }

    func scaled(_ scale: Scaling) -> Self {
        var work = self
        work.chunkSize = scale.count(chunkSize)
        work.set = scale.changes(self.set)
        for (index, link) in (links ?? []).enumerated() {
            work.links?[index].number = scale.number(link.number, of: link.relationship)
        }
        return work
    }

    func queue(of session: any UpdatingSession) -> DispatchQueue { session.queue }

    func prepare(_ session: any UpdatingSession, _ scenario: Scenario) throws {
        if mode == .perObject { try session.prepareUpdate(self) }
    }

    func perform(
        _ session: any UpdatingSession, _ preparation: Void, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        try session.update(self, monitor: monitor)
        return nil
    }

    func apply(to expected: inout ExpectedStore, _ preparation: Void, _ scenario: Scenario) -> Int? {
        let found = expected.count(matching: filter)
        expected.apply(self)
        return found
    }

    func problems(_ outcome: PhaseOutcome, _ preparation: Void) throws -> [String] {
        try missingSaves(outcome) + outcome.storeProblems()
    }

    /// Returns the problem of a chunked update whose driver did not report each save, or did not make it.
    private func missingSaves(_ outcome: PhaseOutcome) -> [String] {
        guard mode == .chunked, let records = outcome.records else { return [] }
        let least = (0..<records).parts(of: max(chunkSize, 1)).count
        let changesEach = changesEachRecord(of: outcome.expected.generator.entity)
        return outcome.missingSaves(least, "of chunks", commits: changesEach ? least : 0)
    }

    /// Whether no record keeps its values, so that no save is without a change. A toggle inverts all but null.
    private func changesEachRecord(of entity: EntitySpec) -> Bool {
        self.set.contains { change in
            guard change.operation == .toggle, let index = entity.index(of: change.attribute) else { return false }
            // Work that changes an attribute of a subentity is about its records.
            return !entity.attributes[index].hasNullsOfItsOwn
        }
    }
}
