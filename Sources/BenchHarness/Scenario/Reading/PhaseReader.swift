/// The kinds of phase as scenarios spell them.
enum PhaseKind: String, CaseIterable {
    case seed
    case fetch
    case update
    case merge
    case mixed
    case checkpoint
}

/// Reads phases one after another and follows what each leaves in the store, because what a phase may do depends on it.
struct PhaseReader {
    let entity: EntitySpec
    /// Records in a seeded store.
    let records: Int

    /// What the phase before left; nil before the first.
    private var left: StoreState?

    struct StoreState {
        var records: Int
        var isMerged = false
        var isLoaded = false
    }

    init(entity: EntitySpec, records: Int) {
        self.entity = entity
        self.records = records
    }

    mutating func read(_ cursor: JSONCursor) throws(ScenarioError) -> Phase {
        let members = try cursor.members(expected: "a phase")
        guard let kindCursor = members.first(where: { $0.key == "kind" })?.value else {
            throw cursor.error("the key \"kind\" is missing", expected: PhaseKind.allCases.map(\.rawValue).asChoice)
        }
        let kind: PhaseKind = try kindCursor.choice("phase kind")
        if entity.owner != nil, kind == .merge || kind == .mixed {
            throw kindCursor.error("a \(kind) of records with an owner", expected: "seed, fetch, update or checkpoint")
        }
        let object = try cursor.object(kind.shape)
        let from = try object.required("from")
        let origin: Phase.Origin = try from.choice("origin")
        let state = try state(at: origin, from)
        let work = try work(kind, object, state, from)
        left = state.after(work, seeding: records)
        return Phase(
            name: try object.required("name").fileNamePart(), from: origin, work: work,
            thresholdsPercent: try object["thresholds_percent"]?.thresholds())
    }

    private func state(at origin: Phase.Origin, _ cursor: JSONCursor) throws(ScenarioError) -> StoreState {
        switch origin {
        case .empty: return StoreState(records: 0)
        case .seeded: return StoreState(records: records)
        case .previous:
            guard let left else {
                throw cursor.error("the first phase starts from previous", expected: "empty or seeded")
            }
            // What a load leaves depends on how far its workers came: only their ledgers tell.
            if left.isLoaded {
                throw cursor.error("a phase that goes on from a load", expected: "empty or seeded")
            }
            return left
        }
    }

    private func work(
        _ kind: PhaseKind, _ object: JSONObjectCursor, _ state: StoreState, _ from: JSONCursor
    ) throws(ScenarioError) -> Phase.Work {
        let reader = WorkReader(entity: entity, records: state.records)
        switch kind {
        case .seed:
            // Records are known by their ordinals: seeding twice would make each of them two.
            guard state.records == 0, !state.isMerged else {
                throw from.error("a seed phase that starts with records", expected: "empty")
            }
            return .seed(try reader.seed(object))
        case .fetch: return .fetch(try reader.fetch(object))
        case .update: return .update(try reader.update(object))
        case .merge:
            // A second plan would name records that the first has deleted.
            guard !state.isMerged else {
                throw from.error("a merge of a store that was merged before", expected: "seeded")
            }
            return try reader.merge(object)
        case .mixed: return .load(try reader.mixed(object))
        case .checkpoint: return .checkpoint
        }
    }
}

extension PhaseReader.StoreState {
    fileprivate func after(_ work: Phase.Work, seeding records: Int) -> Self {
        switch work {
        case .seed: Self(records: records)
        case .merge(let work):
            Self(
                records: self.records + work.saves * (work.insertsPerSave - work.deletesPerSave), isMerged: true)
        case .load: Self(records: self.records, isLoaded: true)
        case .fetch, .update, .checkpoint: self
        }
    }
}

extension PhaseKind {
    var shape: ObjectShape {
        switch self {
        case .seed: .seed
        case .fetch: .fetch
        case .update: .update
        case .merge: .merge
        case .mixed: .mixed
        case .checkpoint: .checkpoint
        }
    }
}
