/// Reads phases one after another and tracks the state that each leaves, because later phases depend on it.
struct PhaseReader {
    private let schema: Schema
    /// The entities that a phase can be about, without those that inherit.
    private let entities: [KnownEntity]
    /// The number of records of the first entity in a seeded store; nil if the scenario's number is invalid.
    let records: Int?
    private let files: OriginFiles

    /// The states of the records of each entity that the previous phase left, by the entity's place; nil before the
    /// first phase.
    private var left: [StoreState]?
    /// The place of the entity of the previous phase.
    private var lastFocus = 0
    /// The phase after which records of some entities are gone, and these entities.
    private var lost: (phase: String, entities: Set<String>)?

    /// - Parameter isSound: Whether the entities were read without an error.
    init(_ schema: Schema, isSound: Bool, records: Int?, seed: UInt64, files: OriginFiles) {
        self.files = files
        self.schema = schema
        entities = schema.roots.map { KnownEntity(schema: schema.focused(on: $0), isSound: isSound, seed: seed) }
        self.records = records
    }

    /// Reads a phase; nil if its work is invalid.
    mutating func read(_ cursor: JSONCursor) -> Phase? {
        guard let kind = kind(cursor) else {
            forget()
            return nil
        }
        let object = cursor.object(kind.shape)
        let name = object["name"]?.fileNamePart()
        let source = object["from"].flatMap(source)
        let origin = source?.origin
        let thresholds = object["thresholds_percent"].map { $0.thresholds() }
        guard let focus = focus(object, kind, origin) else {
            // What else the phase names is of the entity that was meant.
            forget()
            return nil
        }
        let states = origin.map { begin(at: $0, object["from"]) } ?? entities.map { _ in StoreState() }
        let state = states[focus.place]
        var entity = entities[focus.place]
        (entity.isOfFile, entity.subentity) = (state.isOfFile, focus.subentity)
        let start = PhaseStart(
            entity: entity, name: name ?? "", origin: origin, state: state, from: object["from"])
        guard let work = kind.read(object, start) else {
            forget()
            return nil
        }
        if let reason = state.keysLostIn, work.usesKeys {
            object["from"]?.refuse(
                "the kind \(kind.name), which knows records by their keys, after \(reason)", expected: "seeded")
        }
        if state.isOfFile { checkRecordsOfFile(kind, focus.place, object) }
        checkRelationships(work, of: focus.place, object, states)
        if entity.spec.subentities != nil { checkSubentities(kind, work, focus, object) }
        var after = states
        after[focus.place] = work.state(after: state, seeding: records(of: focus.place))
        if work.seedsStore { after = entities.indices.map { StoreState(records: records(of: $0)) } }
        if work.deletesRelated { lose(focus.place, name ?? "", &after) }
        (left, lastFocus) = (after, focus.place)
        guard let name, let source else { return nil }
        return Phase(
            name: name, from: source.origin, work: Phase.Work(work), thresholdsPercent: thresholds, file: source.file,
            entity: focus.subentity ?? (focus.place == 0 ? nil : entity.spec.name))
    }

    private mutating func forget() { left = entities.map { _ in StoreState() } }

    /// The number of records of the entity at a place in a seeded store.
    private func records(of place: Int) -> Int? { place == 0 ? records : entities[place].spec.records }

    /// Returns the place of the entity that a phase is about, the one that it names or the first, and the
    /// subentity if it names one. It is nil, with an error, if there is no entity of that name.
    private func focus(
        _ object: JSONObjectCursor, _ kind: PhaseKind, _ origin: Phase.Origin?
    ) -> (place: Int, subentity: String?)? {
        guard kind.scope == .entity, let cursor = object["entity"] else {
            return (kind.scope == .session && origin == .previous ? lastFocus : 0, nil)
        }
        guard let name = cursor.string(lengthMax: ScenarioLimits.nameLength) else { return nil }
        if let place = entities.firstIndex(where: { $0.spec.name == name }) { return (place, nil) }
        if let place = schema.place(of: name), let root = schema.entities[place].superentity { return (root, name) }
        entities[0].refuseUnknown("entity", name, among: schema.entities.map(\.name), cursor)
        return nil
    }

    /// Checks that the work depends on the keys of records only where these follow from their ordinals, and that work
    /// on a subentity has a condition, by which the harness tells its records.
    private func checkSubentities(
        _ kind: PhaseKind, _ work: any PhaseWork, _ focus: (place: Int, subentity: String?), _ object: JSONObjectCursor
    ) {
        let (entity, subentity) = (schema.entities[focus.place].name, focus.subentity)
        let able = PhaseKind.all.filter(\.allowsSubentities)
        if !kind.allowsSubentities {
            object["kind"]?.refuse(
                "the kind \(kind.name) about \(entity), which has subentities", expected: able.map(\.name).asChoice)
        } else if work.usesKeys, !schema.hasNumbers(focus.place) {
            (work.drawsValues ? object["set"] : object["kind"])?.refuse(
                "work by the keys of the records of \(entity), which has subentities, and to which no relationship leads",
                expected: work.drawsValues ? "other changes" : "another kind")
        }
        if let subentity, !kind.shape.keys.contains("filter") {
            object["entity"]?.refuse(
                "the kind \(kind.name) about the subentity \(subentity)",
                expected: able.filter { $0.shape.keys.contains("filter") }.map(\.name).asChoice)
        }
    }

    /// Checks that a kind of phase can work on the records of a file, which are those of the first entity.
    private func checkRecordsOfFile(_ kind: PhaseKind, _ place: Int, _ object: JSONObjectCursor) {
        if !kind.allowsFiles {
            let able = PhaseKind.all.filter(\.allowsFiles).map(\.name)
            object["from"]?.refuse("the kind \(kind.name) with the records of a file", expected: able.asChoice)
        }
        if place != 0 {
            object["entity"]?.refuse(
                "a phase about \(schema.entities[place].name) with the records of a file",
                expected: schema.entities[0].name)
        }
    }

    /// Checks that no relationship leads to a record that is gone.
    private func checkRelationships(
        _ work: any PhaseWork, of focus: Int, _ object: JSONObjectCursor, _ states: [StoreState]
    ) {
        let entity = entities[focus].spec
        if work.deletesRecords, !work.deletesRelated, schema.entities[focus].relationships.contains(where: \.isToMany) {
            object.cursor.refuse(
                "a \(work.kind.name) that deletes records of \(entity.name), to which others lead",
                expected: "deletes_per_save 0")
        }
        let isPartial = work.makesRecords && !work.makesEveryRelationship
        if isPartial, let link = entity.links?.first {
            object.cursor.refuse(
                "new records with the relationship \(link.relationship) to many", expected: "the kind insert or seed")
        }
        let ordered = entity.toOnes.filter(\.isOrdered)
        if isPartial, let order = ordered.first {
            object.cursor.refuse(
                "new records in the order of \(order.inverse)", expected: "the kind insert or seed, which add them last"
            )
        }
        let changed = Set(work.changedMembers)
        if let order = ordered.first(where: { changed.contains($0.relationship) }) {
            object["set"]?.refuse(
                "a move to another \(order.relationship.quoted), which keeps an order", expected: "other attributes")
        }
        let leading = schema.entities[focus].relationships.filter {
            changed.contains($0.name) || work.makesRecords && $0.isDeclared
        }
        let targets = leading.map { schema.entities[$0.destination].name }
        if let lost, let gone = targets.first(where: lost.entities.contains) {
            object["from"]?.refuse(
                "records that lead to \(gone), of which \(lost.phase) deleted some", expected: "seeded")
        }
        // The records of other entities are known by their keys.
        let isOfFile = states[focus].isOfFile
        if !isOfFile, let place = states.indices.first(where: { $0 != focus && states[$0].keysLostIn != nil }) {
            object["from"]?.refuse(
                "a phase about \(entity.name) after \(states[place].keysLostIn ?? "")", expected: "seeded")
        }
    }

    /// Notes that a phase deletes records of the entity at a place, and what belongs to them.
    private mutating func lose(_ place: Int, _ phase: String, _ states: inout [StoreState]) {
        let deleted = schema.deleted(with: place)
        lost = (lost?.phase ?? phase, Set(deleted.map { schema.entities[$0].name }).union(lost?.entities ?? []))
        let isUncertain = schema.isUncertain(deletionOf: place)
        for other in entities.indices where deleted.contains(other) && (other != place || isUncertain) {
            (states[other].records, states[other].isAltered) = (nil, true)
            states[other].countLostIn =
                "a deletion of records of \(entities[place].spec.name), whose rules tell what becomes of these"
        }
        for place in deleted {
            for back in schema.entities[place].relationships where back.isToMany {
                states[back.destination].isUpdated = true
            }
        }
    }

    /// Reads where the store comes from: a state by its name, or a file.
    private func source(_ cursor: JSONCursor) -> (origin: Phase.Origin, file: String?)? {
        guard case .object = cursor.node.value else {
            return cursor.choice("origin", among: Phase.Origin.named).map { ($0, nil) }
        }
        if let entity = schema.records.first(where: { $0.subentities != nil }) {
            cursor.refuse(
                "a file, in a scenario whose \(entity.name) has subentities", expected: "a scenario without them")
            return (.file, nil)
        }
        if schema.roots.dropFirst().contains(where: { !schema.entities[$0].relationships.allSatisfy(\.isOfFirst) }) {
            cursor.refuse(
                "a file, in a scenario whose other entities have relationships",
                expected: "relationships of \(schema.entities[0].name) alone, to one record each")
            return (.file, nil)
        }
        // Even without the file, the phases after this one are about records of a file.
        guard let file = cursor.object(.storeFile)["file"], let path = file.storeFile() else { return (.file, nil) }
        // The entity may be other than it says if it has errors.
        if entities[0].isSound, let problem = files.problem(of: path, for: schema) { file.refuse(problem) }
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

    private mutating func begin(at origin: Phase.Origin, _ cursor: JSONCursor?) -> [StoreState] {
        if origin != .previous { lost = nil }
        switch origin {
        case .empty: return entities.map { _ in StoreState(records: 0) }
        case .seeded: return entities.indices.map { StoreState(records: records(of: $0)) }
        case .file:
            return entities.map { _ in
                StoreState(
                    isAltered: true, keysLostIn: "the start from a file, whose records have keys of their own",
                    isOfFile: true)
            }
        case .previous:
            guard let left else {
                cursor?.refuse("the first phase starts from previous", expected: "empty or seeded")
                return entities.map { _ in StoreState() }
            }
            // The result of a load depends on how far its workers came: only their ledgers record that.
            if left.contains(where: \.isLoaded) {
                cursor?.refuse("a phase that continues from a load", expected: "empty or seeded")
            }
            return left
        }
    }
}

extension ValueShape {
    static let phase: ValueShape = .named("phase") { .any(PhaseKind.all.map { .object($0.shape) }) }

    static let origin: ValueShape = .named("origin", "The state of the store when the clock starts.") {
        .among(Phase.Origin.named.map { .string($0.rawValue) })
    }

    static let source: ValueShape = .named(
        "source", "The state of the store when the clock starts, or the file that it is a copy of."
    ) {
        .any([.origin, .object(.storeFile)])
    }

    static let phaseEntity: ValueShape = .named(
        "phaseEntity",
        "The name of the entity that the phase is about; the first one if omitted."
    ) {
        .text(lengthMax: ScenarioLimits.nameLength)
    }
}

extension ObjectShape {
    fileprivate static let storeFile = ObjectShape(
        "storeFile", "A file of ManagedStore or Core Data, of which each repetition starts with a copy.",
        keys: [
            .required(
                "file", .text(lengthMax: ScenarioLimits.textLength),
                "The path of the file, from the folder of the scenario.")
        ])
}
