/// The state of a store between two phases, as far as it is known in advance.
struct StoreState {
    /// The number of records; nil if an error leaves it unknown.
    var records: Int?
    /// What leaves the number of records unknown before a run; nil if an error does, or if it is known.
    var countLostIn: String?
    /// Whether records were added or deleted since the store was seeded. A plan of a merge names records by the
    /// ordinals of a seeded store.
    var isAltered = false
    /// Whether an update changed records since then.
    var isUpdated = false
    /// The phase after which keys of records do not follow from the ordinals, and why; nil if they follow.
    var keysLostIn: String?
    /// Whether the records are those of a file.
    var isOfFile = false
    /// Whether a load ran, whose result only the workers' ledgers record.
    var isLoaded = false
}

/// The start of a phase, for the rules between its keys and the state of the store.
struct PhaseStart {
    let entity: KnownEntity
    /// The name of the phase; empty if it has none.
    let name: String
    /// Where the phase gets its store from; nil if the key is wrong.
    let origin: Phase.Origin?
    /// The state of the store.
    let state: StoreState
    /// The cursor of the key that sets the state.
    let from: JSONCursor?

    /// The seed of the scenario.
    var seed: UInt64 { entity.seed }
}

/// The entity whose attributes phases name.
struct KnownEntity {
    /// The entities of the scenario, with the one that the phase is about as the focus.
    let schema: Schema
    /// Whether the entities were read without an error. If not, a name that one lacks may be right.
    let isSound: Bool
    /// The seed of the scenario.
    let seed: UInt64
    /// The subentity that the phase is about; nil if it is about the entity.
    var subentity: String?
    /// Whether the records are those of a file, of whose relationships only that they stay is known.
    var isOfFile = false

    /// The values of the records.
    var spec: EntitySpec { schema.entity.record }

    /// Reports that a phase looks through a relationship, or changes it, of the records of a file.
    func refuseRelationshipOfFile(_ name: String, _ cursor: JSONCursor) {
        guard isOfFile else { return }
        cursor.refuse("the relationship \(name.quoted) of the records of a file", expected: "an attribute of theirs")
    }

    /// Reports a relationship that only records of a subentity have which the phase is not about.
    func refuseOtherKind(_ relationship: Schema.Relationship, _ cursor: JSONCursor) {
        guard let owner = relationship.subentity, owner != subentity else { return }
        refuseMember("relationship", relationship.name, of: owner, cursor)
    }

    /// Reports a member of what a key leads to that only records of a subentity have to which it need not lead.
    private func refuseOtherKind(_ owner: String?, than kind: String?, _ key: String, _ cursor: JSONCursor) {
        guard let owner, owner != kind else { return }
        cursor.refuse(
            "the key \(key.quoted), which leads on from records of \(owner) alone",
            expected: "a relationship that leads to \(owner), or what all records have that it leads to")
    }

    private func refuseMember(_ what: String, _ name: String, of subentity: String, _ cursor: JSONCursor) {
        cursor.refuse(
            "the \(what) \(name.quoted), which only records of \(subentity) have",
            expected: "\"entity\": \(subentity.quoted) in the phase, or another \(what)")
    }

    /// Returns the attribute that a string names; nil, with an error, if there is none.
    func attribute(_ cursor: JSONCursor) -> AttributeSpec? {
        cursor.string(lengthMax: ScenarioLimits.textLength).flatMap { attribute(called: $0, cursor) }
    }

    /// Returns the attribute called `name`; `cursor` is its place in errors.
    func attribute(called name: String, _ cursor: JSONCursor) -> AttributeSpec? {
        let attributes = spec.namedAttributes.filter { $0.subentity == nil || $0.subentity == subentity }
        let attribute = attributes.first { $0.name == name }
        if attribute == nil, let owner = spec.attributes.first(where: { $0.name == name })?.subentity {
            refuseMember("attribute", name, of: owner, cursor)
            return nil
        }
        if attribute == nil { refuseUnknown("attribute", name, among: attributes.map(\.name), cursor) }
        return attribute
    }

    /// Returns the attribute that a string names, or one that relationships lead to, such as `list.owner.name`, and how
    /// it is named; nil, with an error, if there is none.
    ///
    /// - Parameters:
    ///   - throughMany: Whether the key may lead through a relationship to many records.
    ///   - use: What the key is for, in errors.
    func reachableAttribute(
        _ cursor: JSONCursor, throughMany: Bool = false, for use: String = "an order"
    ) -> (key: String, AttributeSpec)? {
        guard let key = cursor.string(lengthMax: ScenarioLimits.textLength) else { return nil }
        let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1 || schema.relationship(key) != nil else {
            return attribute(called: key, cursor).map { ($0.name, $0) }
        }
        var (place, kind) = (schema.focus, subentity)
        for (index, part) in parts.enumerated() {
            guard let relationship = schema.relationship(part, of: place) else {
                let attribute = index == parts.count - 1 ? attribute(part, of: place) : nil
                if attribute == nil { refuseUnknown("attribute", key, among: keys(parts[..<index], place), cursor) }
                refuseOtherKind(attribute?.subentity, than: kind, key, cursor)
                return attribute.map { (key, $0) }
            }
            refuseRelationshipOfFile(part, cursor)
            if index == 0 {
                refuseOtherKind(relationship, cursor)
            } else {
                refuseOtherKind(relationship.subentity, than: kind, key, cursor)
            }
            if relationship.isToMany, !throughMany {
                cursor.refuse(
                    "\(use) by \(key.quoted), which leads to many records",
                    expected: "an attribute, or one through relationships to one record")
                return nil
            }
            (place, kind) = (relationship.destination, relationship.target)
        }
        refuseUnknown("attribute", key, among: keys(parts[...], place), cursor)
        return nil
    }

    private func attribute(_ name: String, of place: Int) -> AttributeSpec? {
        schema.entities[place].record.namedAttributes.first { $0.name == name }
    }

    /// The keys that go on from some relationships, which lead to the entity at a place.
    private func keys(_ relationships: ArraySlice<String>, _ place: Int) -> [String] {
        schema.entities[place].record.namedAttributes.map { (relationships + [$0.name]).joined(separator: ".") }
    }

    /// Returns the condition that a comparison is about the records that its key leads to: of several, one is enough.
    func leading(_ leaf: FilterSpec) -> FilterSpec {
        guard let key = leaf.keys.first else { return leaf }
        let parts = key.split(separator: ".").map(String.init)
        var (place, lastToMany) = (schema.focus, Int?.none)
        for (index, part) in parts.dropLast().enumerated() {
            guard let relationship = schema.relationship(part, of: place) else { return leaf }
            place = relationship.destination
            if relationship.isToMany { lastToMany = index }
        }
        guard let last = lastToMany else { return leaf }
        let rest = parts[(last + 1)...].joined(separator: ".")
        return parts[...last].reversed().reduce(leaf.renamed(rest)) { .any(relationship: $1, $0) }
    }

    /// Reports that `name` is not among `candidates`, unless the entity's errors may be the reason.
    func refuseUnknown(_ what: String, _ name: String, among candidates: [String], _ cursor: JSONCursor) {
        if isSound { cursor.refuseUnknown(what, name, among: candidates) }
    }
}
