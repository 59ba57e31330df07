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
    /// The seed of the scenario.
    let seed: UInt64
    /// Where the phase gets its store from; nil if the key is wrong.
    let origin: Phase.Origin?
    /// The state of the store.
    let state: StoreState
    /// The cursor of the key that sets the state.
    let from: JSONCursor?
}

/// A relationship to many records of another entity.
struct ToMany {
    let relationship: String
    /// The attributes of these records.
    let attributes: [AttributeSpec]
}

extension Schema {
    /// Returns the relationships of an entity that lead to many records.
    func toMany(of place: Int) -> [ToMany] {
        entities[place].relationships.filter(\.isToMany).map {
            ToMany(
                relationship: $0.name, attributes: Array(entities[$0.destination].record.attributesOfItsOwn))
        }
    }
}

/// The entity whose attributes phases name.
struct KnownEntity {
    let spec: EntitySpec
    /// Whether the entity was read without an error. If not, a name that it lacks may be right.
    let isSound: Bool
    /// The relationships to many records of other entities.
    var toMany: [ToMany] = []
    /// The subentity that the phase is about; nil if it is about the entity.
    var subentity: String?
    /// Whether the records are those of a file, of whose owners only that they stay is known.
    var isOfFile = false

    /// Reports that a phase looks through a relationship, or changes it, of the records of a file.
    func refuseOwnerOfFile(_ name: String, _ cursor: JSONCursor) {
        guard isOfFile else { return }
        cursor.refuse("the relationship \(name.quoted) of the records of a file", expected: "an attribute of theirs")
    }

    /// Returns the attribute that a string names; nil, with an error, if there is none.
    func attribute(_ cursor: JSONCursor) -> AttributeSpec? {
        cursor.string(lengthMax: ScenarioLimits.textLength).flatMap { attribute(called: $0, cursor) }
    }

    /// Returns the attribute called `name`; `cursor` is its place in errors.
    func attribute(called name: String, _ cursor: JSONCursor) -> AttributeSpec? {
        // The number of the owner, or of a record's entity, is not an attribute for authors of scenarios.
        let attributes = spec.attributesOfItsOwn.filter { attribute in
            attribute.name != EntitySpec.kindName && (attribute.subentity == nil || attribute.subentity == subentity)
        }
        let attribute = attributes.first { $0.name == name }
        if attribute == nil, let owner = spec.attributes.first(where: { $0.name == name })?.subentity {
            cursor.refuse(
                "the attribute \(name.quoted), which only records of \(owner) have",
                expected: "\"entity\": \(owner.quoted) in the phase, or another attribute")
            return nil
        }
        if attribute == nil { refuseUnknown("attribute", name, among: attributes.map(\.name), cursor) }
        return attribute
    }

    /// Returns the attribute that a string names, or one of the owners through the relationship, such as `list.name`,
    /// and how it is named; nil, with an error, if there is none.
    ///
    /// - Parameter throughMany: Whether the key may lead through a relationship to many records.
    func reachableAttribute(_ cursor: JSONCursor, throughMany: Bool = false) -> (key: String, AttributeSpec)? {
        guard let key = cursor.string(lengthMax: ScenarioLimits.textLength) else { return nil }
        if isTooFar(key, throughMany, cursor) { return nil }
        if throughMany, let (relationship, name) = many(key),
            let member = toMany.first(where: { $0.relationship == relationship })
        {
            if let attribute = member.attributes.first(where: { $0.name == name }) { return (key, attribute) }
            refuseUnknown("attribute", key, among: member.attributes.map { "\(relationship).\($0.name)" }, cursor)
            return nil
        }
        let toOne = spec.toOnes.first { key == $0.relationship || key.hasPrefix($0.relationship + ".") }
        guard let owner = toOne else { return attribute(called: key, cursor).map { ($0.name, $0) } }
        refuseOwnerOfFile(owner.relationship, cursor)
        if let (_, index) = spec.reached(by: key) { return (key, owner.attributes[index]) }
        let candidates = owner.attributes.map { "\(owner.relationship).\($0.name)" }
        refuseUnknown("attribute", key, among: candidates, cursor)
        return nil
    }

    /// Reports a key that leads through several relationships, or through one to many records where it must not.
    private func isTooFar(_ key: String, _ throughMany: Bool, _ cursor: JSONCursor) -> Bool {
        let parts = key.split(separator: ".", omittingEmptySubsequences: false)
        guard isSound, parts.count > 1 else { return false }
        let isOne = spec.toOnes.contains { $0.relationship == parts[0] }
        guard isOne || toMany.contains(where: { $0.relationship == parts[0] }) else { return false }
        if parts.count > 2 {
            cursor.refuse(
                "the key \(key.quoted), which leads through several relationships",
                expected: "an attribute, or one relationship and an attribute of what it leads to")
        } else if !isOne, !throughMany {
            cursor.refuse(
                "an order by \(key.quoted), which leads to many records",
                expected: "an attribute, or one through a relationship to one record")
        } else {
            return false
        }
        return true
    }

    /// Returns the relationship to many records that a key leads through, and the name behind it; nil for another key.
    func many(_ key: String) -> (relationship: String, name: String)? {
        let member = toMany.first { key.hasPrefix($0.relationship + ".") }
        return member.map { ($0.relationship, String(key.dropFirst($0.relationship.count + 1))) }
    }

    /// Reports that `name` is not among `candidates`, unless the entity's errors may be the reason.
    func refuseUnknown(_ what: String, _ name: String, among candidates: [String], _ cursor: JSONCursor) {
        if isSound { cursor.refuseUnknown(what, name, among: candidates) }
    }
}
