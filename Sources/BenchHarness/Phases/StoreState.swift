/// What is in a store between two phases, as far as that is known before they run.
struct StoreState {
    /// How many records; nil where an error keeps that from being known.
    var records: Int?
    /// Whether a merge's plan was done on it, which names records by their ordinals.
    var isMerged = false
    /// Whether a load was done on it, of which only the workers' ledgers tell what it left.
    var isLoaded = false
}

/// What a phase starts from, for the rules between its keys and what is in the store.
struct PhaseStart {
    let entity: KnownEntity
    /// What is in the store.
    let state: StoreState
    /// The key that says so.
    let from: JSONCursor?
}

/// The entity that phases name attributes of.
struct KnownEntity {
    let spec: EntitySpec
    /// Whether the entity was read without an error. Otherwise a name that is not in it may well be right.
    let isSound: Bool

    /// The attribute that a string names; nil, with an error, when there is none.
    func attribute(_ cursor: JSONCursor) -> AttributeSpec? {
        cursor.string(lengthMax: ScenarioLimits.textLength).flatMap { attribute(called: $0, cursor) }
    }

    /// The attribute called `name`, which `cursor` stands for in errors.
    func attribute(called name: String, _ cursor: JSONCursor) -> AttributeSpec? {
        // The number of the owner is no attribute to those who write scenarios.
        let attributes = spec.attributesOfItsOwn
        let attribute = attributes.first { $0.name == name }
        if attribute == nil { refuseUnknown("attribute", name, among: attributes.map(\.name), cursor) }
        return attribute
    }

    /// Notes that `name` is none of `candidates`, unless the entity's errors may be the reason.
    func refuseUnknown(_ what: String, _ name: String, among candidates: [String], _ cursor: JSONCursor) {
        if isSound { cursor.refuseUnknown(what, name, among: candidates) }
    }
}
