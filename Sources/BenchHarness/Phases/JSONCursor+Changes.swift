extension ValueShape {
    static let sort: ValueShape = .list(of: .object(.sort), ScenarioLimits.sortKeys)

    static let changes: ValueShape = .named(
        "changes",
        "New values by attribute name; by the name of a relationship, the number of another record to lead to or, for "
            + "a many-to-many one, to be linked to. If it leads to an entity that inherits, the number is one among its "
            + "records alone."
    ) {
        .map(to: .change, from: .identifier, atLeast: 1)
    }

    private static let change: ValueShape = .named("change") {
        .any([.value] + [.toggle, .add, .addSeconds, .draw, .link].map(ValueShape.object))
    }
}

extension ObjectShape {
    fileprivate static let sort = ObjectShape(
        "sort",
        keys: [
            .required(
                "key", .keyPath,
                "An attribute, or in a fetch and a page one that relationships lead to: list.owner.name."),
            .optional("ascending", .bool, "True if omitted."),
        ])
    fileprivate static let toggle = ObjectShape(
        "toggle", "The opposite of a bool.", keys: [.required("toggle", .constant(.bool(true)))])
    fileprivate static let add = ObjectShape(
        "add", "The old number plus this one.", keys: [.required("add", .number())])
    fileprivate static let addSeconds = ObjectShape(
        "addSeconds", "The old date plus this number of seconds.",
        keys: [.required("add_s", .number(ScenarioLimits.seconds))])
    fileprivate static let draw = ObjectShape(
        "draw",
        "A value drawn for each record, by its number and the phase's name; in an update in mode per_object or chunked.",
        keys: [.required("generator", .generator)])
}

extension ObjectShape {
    fileprivate static let link = ObjectShape(
        "link",
        "A change of a many-to-many relationship, one or both of these; in an update in mode per_object or chunked.",
        keys: [
            .optional(
                "link", .integer(ScenarioLimits.records, isSwept: false),
                "The number of a record that it leads to, too."),
            .optional(
                "unlink", .integer(ScenarioLimits.records, isSwept: false),
                "The number of a record that it leads to no longer."),
        ])
}

extension JSONCursor {
    /// Reads an ordering by attributes of the entity, or of what its relationships lead to.
    func sort(by entity: KnownEntity) -> [SortSpec] {
        var specs: [SortSpec] = []
        for element in array(of: "sort keys") {
            let object = element.object(.sort)
            let ascending = object["ascending"]?.bool()
            guard let key = object["key"], let (name, attribute) = entity.reachableAttribute(key) else { continue }
            if attribute.type == .data {
                key.refuse("the data attribute \(name.quoted)", expected: "an attribute with an order")
            }
            if specs.contains(where: { $0.key == name }) {
                key.refuse("the sort key \(name.quoted) a second time", expected: "each key once")
            }
            specs.append(SortSpec(key: name, ascending: ascending ?? true))
        }
        return specs
    }

    /// Reads an ordering in which each record has one place, as `user` of it needs; nil after an error.
    func totalSort(by entity: KnownEntity, of user: String) -> [SortSpec]? {
        let (sort, isSound) = problems.watching { self.sort(by: entity) }
        guard isSound, entity.isSound else { return nil }
        let last = sort.last.flatMap { key in entity.spec.attributes.first { $0.name == key.key } }
        if last?.isUnique == true, last?.hasNulls == false { return sort }
        refuse(
            "\(user) in an order that leaves records equal",
            expected: "a last key whose attribute has \"unique\": true and no nulls")
        return nil
    }

    /// Reads changes to attributes of the entity.
    ///
    /// - Parameters:
    ///   - draws: Returns the seed of the values that are drawn for an attribute; nil if none may be drawn.
    ///   - links: Whether many-to-many relationships may be among them, which ``links(of:)`` reads.
    func changes(
        of entity: KnownEntity, drawing draws: ((String) -> UInt64)? = nil, links: Bool = false
    ) -> [AttributeChange] {
        let members = members(expected: "an object of attributes and their new values") ?? []
        if case .object = node.value, members.isEmpty {
            refuse("an empty object", expected: "at least one attribute")
        }
        return members.compactMap { member in
            if let toOne = entity.spec.toOnes.first(where: { $0.relationship == member.key }) {
                entity.refuseRelationshipOfFile(toOne.relationship, member.value)
                guard let relationship = entity.schema.relationship(toOne.relationship) else { return nil }
                entity.refuseOtherKind(relationship, member.value)
                return member.value.number(relationship, of: entity).map {
                    AttributeChange(attribute: toOne.relationship, operation: .assign(.int64($0)))
                }
            }
            if entity.schema.relationship(member.key)?.isManyToMany == true {
                if !links {
                    member.value.refuse(
                        "a change of the many-to-many relationship \(member.key.quoted)",
                        expected: "an update in mode per_object or chunked")
                }
                return nil
            }
            guard let attribute = entity.attribute(called: member.key, member.value) else { return nil }
            if member.value.isDraw { return member.value.draw(attribute, draws) }
            return member.value.operation(on: attribute).map {
                AttributeChange(attribute: attribute.name, operation: $0)
            }
        }
    }

    /// Reads the changes of many-to-many relationships among those of the entity.
    func links(of entity: KnownEntity) -> [LinkChange] {
        guard case .object = node.value else { return [] }
        let members = members(expected: "an object of attributes and their new values") ?? []
        return members.flatMap { member in
            guard let relationship = entity.schema.relationship(member.key), relationship.isManyToMany else {
                return [LinkChange]()
            }
            entity.refuseRelationshipOfFile(member.key, member.value)
            entity.refuseOtherKind(relationship, member.value)
            // Only a relationship of the entity to itself has both ends here.
            if !relationship.isDeclared, members.contains(where: { $0.key == relationship.inverse }) {
                member.value.refuse(
                    "a change of \(member.key.quoted) beside one of its other end, \(relationship.inverse.quoted)",
                    expected: "one of them, since the order of changes would decide")
            }
            return member.value.links(by: relationship, of: entity)
        }
    }

    private func links(by relationship: Schema.Relationship, of entity: KnownEntity) -> [LinkChange] {
        let (object, isSound) = problems.watching { self.object(.link) }
        func change(_ key: String, _ links: Bool) -> LinkChange? {
            object[key]?.number(relationship, of: entity).map {
                LinkChange(relationship: relationship.name, number: $0, links: links)
            }
        }
        let (link, unlink) = (change("link", true), change("unlink", false))
        if isSound, object["link"] == nil, object["unlink"] == nil {
            refuse("a change that links no record and unlinks none", expected: "\"link\" or \"unlink\"")
        }
        if case .pairs(let pairs, isForward: false) = relationship.place, pairs.spec.isOrdered {
            object["link"]?.refuse(
                "a link by \(relationship.name.quoted), whose inverse keeps an order",
                expected: "an update of \(pairs.name)")
        }
        if let link, link.number == unlink?.number {
            object["unlink"]?.refuse("the record that is linked as well", expected: "another one")
        }
        return [link, unlink].compactMap(\.self)
    }

    /// Reads the place of a record among those that a relationship may lead to, and returns its number.
    private func number(_ relationship: Schema.Relationship, of entity: KnownEntity) -> Int64? {
        let target = entity.schema.entities[relationship.destination]
        guard let place = unswept.integer(in: 1...(target.count ?? 1)) else { return nil }
        let ordinals = entity.schema.ordinals(relationship, seed: entity.seed)
        if let ordinal = ordinals.dropFirst(place - 1).first { return Int64(ordinal) + 1 }
        let records = ordinals.count
        refuse(
            "record \(place) of \(relationship.target ?? target.name)\(records == 0 ? ", which has none" : "")",
            expected: records == 0 ? "a larger share, or more records" : "1 to \(records)")
        return nil
    }

    /// Whether the change draws a value for each record.
    private var isDraw: Bool {
        guard case .object(let members) = node.value else { return false }
        return members.contains { $0.key == ObjectShape.draw.keys[0] }
    }

    private func draw(_ attribute: AttributeSpec, _ draws: ((String) -> UInt64)?) -> AttributeChange? {
        let reader = EntityReader(ordinalMax: ScenarioLimits.records.upperBound)
        guard let cursor = object(.draw)["generator"], let generator = reader.generator(cursor, attribute.type) else {
            return nil
        }
        guard let draws else {
            refuse("values drawn for each record", expected: "an update in mode per_object or chunked")
            return nil
        }
        if attribute.isUnique {
            refuse("values drawn for the unique attribute \(attribute.name.quoted)", expected: "another attribute")
        }
        if case .constant = generator {
            cursor.refuse("a constant generator in a change", expected: "its value in place of the generator")
        }
        let draw = AttributeDraw(type: attribute.type, generator: generator, seed: draws(attribute.name))
        return AttributeChange(attribute: attribute.name, operation: .draw(draw))
    }

    private func operation(on attribute: AttributeSpec) -> AttributeChange.Operation? {
        guard case .object = node.value else { return fieldValue(attribute.type).map { .assign($0) } }
        switch attribute.type {
        case .bool:
            guard let toggle = object(.toggle)["toggle"], let isTrue = toggle.bool() else { return nil }
            return isTrue ? .toggle : toggle.refuseMismatch(expected: "true")
        case .date:
            return object(.addSeconds)["add_s"]?.number().map { .add($0) }
        case .int64:
            return object(.add)["add"]?.integer(in: ScenarioLimits.integers).map { .add(Double($0)) }
        case .double:
            return object(.add)["add"]?.number(in: ScenarioLimits.doubles).map { .add($0) }
        case .string, .data:
            refuse("an operation on the \(attribute.type) attribute", expected: "a new value, or a generator")
            return nil
        }
    }
}
