/// Reads phases one after another and tracks the state that each leaves, because later phases depend on it.
struct PhaseReader {
    let entity: KnownEntity
    /// The number of records in a seeded store; nil if the scenario's number is invalid.
    let records: Int?
    /// The seed of the scenario.
    let seed: UInt64

    /// The state that the previous phase left; nil before the first phase.
    private var left: StoreState?

    init(entity: KnownEntity, records: Int?, seed: UInt64) {
        self.entity = entity
        self.records = records
        self.seed = seed
    }

    /// Reads a phase; nil if its work is invalid.
    mutating func read(_ cursor: JSONCursor) -> Phase? {
        guard let kind = kind(cursor) else {
            left = StoreState()
            return nil
        }
        let object = cursor.object(kind.shape)
        let name = object["name"]?.fileNamePart()
        let source = object["from"].flatMap(source)
        let origin = source?.origin
        let thresholds = object["thresholds_percent"].map { $0.thresholds() }
        let state = origin.map { begin(at: $0, object["from"]) } ?? StoreState()
        let start = PhaseStart(
            entity: entity, name: name ?? "", seed: seed, origin: origin, state: state, from: object["from"])
        guard let work = kind.read(object, start) else {
            left = StoreState()
            return nil
        }
        if let reason = state.keysLostIn, work.content.usesKeys {
            object["from"]?.refuse(
                "the kind \(kind.name), which knows records by their keys, after \(reason)", expected: "seeded")
        }
        if state.isOfFile, !kind.allowsFiles {
            let able = PhaseKind.all.filter(\.allowsFiles).map(\.name)
            object["from"]?.refuse("the kind \(kind.name) with the records of a file", expected: able.asChoice)
        }
        left = work.content.state(after: state, seeding: records)
        guard let name, let source else { return nil }
        return Phase(name: name, from: source.origin, work: work, thresholdsPercent: thresholds, file: source.file)
    }

    /// Reads where the store comes from: a state by its name, or a file.
    private func source(_ cursor: JSONCursor) -> (origin: Phase.Origin, file: String?)? {
        guard case .object = cursor.node.value else {
            return cursor.choice("origin", among: Phase.Origin.named).map { ($0, nil) }
        }
        guard let file = cursor.object(.storeFile)["file"], let path = file.storeFile() else { return nil }
        if let owner = entity.spec.owner {
            cursor.refuse(
                "a file, while records have the owner \(owner.relationship.quoted)", expected: "an entity without owner"
            )
        }
        return (.file, path)
    }

    private func kind(_ cursor: JSONCursor) -> PhaseKind? {
        guard let members = cursor.members(expected: "a phase") else { return nil }
        let names = PhaseKind.all.map(\.name)
        guard let kindCursor = members.first(where: { $0.key == "kind" })?.value else {
            cursor.refuse("the key \"kind\" is missing", expected: names.asChoice)
            return nil
        }
        guard case .string(let name) = kindCursor.node.value else {
            return kindCursor.refuseMismatch(expected: names.asChoice)
        }
        guard let kind = PhaseKind.named(name) else {
            kindCursor.refuseUnknown("phase kind", name, among: names)
            return nil
        }
        return kind
    }

    private func begin(at origin: Phase.Origin, _ cursor: JSONCursor?) -> StoreState {
        switch origin {
        case .empty: return StoreState(records: 0)
        case .seeded: return StoreState(records: records)
        case .file:
            return StoreState(
                isAltered: true, keysLostIn: "the start from a file, whose records have keys of their own",
                isOfFile: true)
        case .previous:
            guard let left else {
                cursor?.refuse("the first phase starts from previous", expected: "empty or seeded")
                return StoreState()
            }
            // The result of a load depends on how far its workers came: only their ledgers record that.
            if left.isLoaded { cursor?.refuse("a phase that continues from a load", expected: "empty or seeded") }
            return left
        }
    }
}
