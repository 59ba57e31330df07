extension FetchWork {
    package static let kind = PhaseKind(
        "fetch", "Fetches records as objects.", allowsFiles: true,
        keys: [.required("mode", .choice(Mode.self), "The way in which the fetch is executed.")] + selection + [
            .optional(
                "touch", .choice(Touch.self), "The access to each record within the measured time; all if omitted."),
            .optional(
                "attributes", .list(of: .identifier, ScenarioLimits.attributes, isDistinct: true),
                "The attributes to fetch and touch, in mode sync; all if omitted. They must include the sort keys."),
            .optional("follow", .object(.follow)),
            .optional(
                "cancel_after_records", .records,
                "Cancels an asynchronous fetch once it has found this many records."),
            .optional(
                "cache", .choice(Cache.self),
                "The state of the page cache when the clock starts: cold drops the pages of the store's files before "
                    + "the store is opened, in a fetch of all records from seeded; warm if omitted."),
        ]
    ) { FetchReader(start: $1).read($0) }

    /// The keys that choose the records of a fetch, and their order.
    static let selection: [ObjectShape.Key] = [
        .optional("sort", .sort), .optional("filter", .filter),
        .optional("limit", .records, "The maximum number of records to fetch; all if omitted."),
    ]
}

extension ObjectShape {
    fileprivate static let follow = ObjectShape(
        "follow",
        "Follows a relationship of the fetched records and reads the related records too; in mode sync.",
        keys: [
            .required(
                "relationship", .identifier,
                "A relationship from the records, to one record or to many."),
            .optional(
                "prefetch", .bool,
                "Whether all related records are read at once, rather than each on access; false if omitted."),
        ])
}

/// Reads the keys of a fetch.
private struct FetchReader {
    let start: PhaseStart
    private var entity: KnownEntity { start.entity }

    init(start: PhaseStart) {
        self.start = start
    }

    func read(_ object: JSONObjectCursor) -> FetchWork? {
        let sort = object["sort"].map { $0.sort(by: entity) }
        let filter = start.filter(object)
        let limit = object["limit"]?.integer()
        let touch: FetchWork.Touch? = object["touch"]?.choice("touch")
        // Without the mode, the reader cannot check the rules between it and the other keys.
        guard let mode: FetchWork.Mode = object["mode"]?.choice("fetch mode") else { return nil }
        var work = FetchWork(mode: mode, sort: sort ?? [], filter: filter, limit: limit ?? 0, touch: touch ?? .all)
        work.attributes = object["attributes"].map { attributes($0, of: work) }
        work.follow = object["follow"].flatMap { FollowReader(entity: entity).read($0, of: work) }
        work.cancelAfterRecords = object["cancel_after_records"].flatMap { cancelAfterRecords($0, of: work) }
        work.cache = object["cache"].flatMap { cache($0, of: work) }
        return work
    }

    /// Reads the state of the page cache. Only a fetch that reads most of the store proves by what it reads that the
    /// cache was cold, and only a store that was closed has no pages in the caches of its library.
    private func cache(_ cursor: JSONCursor, of work: FetchWork) -> FetchWork.Cache? {
        guard let cache: FetchWork.Cache = cursor.choice("state of the cache") else { return nil }
        guard cache == .cold else { return cache }
        if let origin = start.origin, !origin.isCopy {
            cursor.refuse("a cold fetch from \(origin.rawValue)", expected: "from seeded")
        }
        if let subentity = entity.subentity {
            cursor.refuse("a cold fetch of \(subentity) alone", expected: "a fetch of all records")
        } else if work.filter != nil || work.limit > 0 || work.cancelAfterRecords != nil {
            cursor.refuse(
                "a cold fetch with filter, limit or cancel_after_records", expected: "a fetch of all records")
        }
        return cache
    }

    private func cancelAfterRecords(_ cursor: JSONCursor, of work: FetchWork) -> Int? {
        guard work.mode == .async else {
            cursor.refuse("cancel_after_records in mode \(work.mode)", expected: "mode async")
            return nil
        }
        if let subentity = entity.subentity {
            cursor.refuse(
                "cancel_after_records of \(subentity), of which a share of all records is made",
                expected: "a phase about all records")
            return nil
        }
        if start.state.isOfFile {
            cursor.refuse("cancel_after_records with the records of a file", expected: "a phase from seeded")
        } else if let reason = start.state.countLostIn {
            cursor.refuse("cancel_after_records after \(reason)", expected: "a phase from seeded")
        }
        guard let records = start.state.records else { return nil }
        let found = work.limit == 0 ? records : min(work.limit, records)
        guard found > 1 else {
            cursor.refuse("cancel_after_records on \(found) records", expected: "a fetch of at least 2 records")
            return nil
        }
        // At the last record nothing is left to cancel.
        return cursor.integer(in: 1...(found - 1))
    }

    private func attributes(_ cursor: JSONCursor, of work: FetchWork) -> [String] {
        if work.mode != .sync {
            cursor.refuse("attributes in mode \(work.mode)", expected: "mode sync")
        }
        let elements = cursor.array(of: "attributes")
        var names: [String] = []
        for element in elements {
            guard let name = entity.attribute(element)?.name else { continue }
            if names.contains(name) {
                element.refuse("the attribute \(name.quoted) a second time", expected: "each attribute once")
            }
            names.append(name)
        }
        // The order of a result is verifiable only with its sort keys.
        if names.count == elements.count, !names.isEmpty,
            let missing = work.sort.first(where: { !names.contains($0.key) })
        {
            cursor.refuse(
                "attributes without the sort key \(missing.key.quoted)",
                expected: entity.spec.reached(by: missing.key) == nil
                    ? "attributes with all sort keys" : "no attributes, or no sort by those of related records")
        }
        return names
    }
}

/// Reads how a fetch follows a relationship.
private struct FollowReader {
    let entity: KnownEntity

    func read(_ cursor: JSONCursor, of work: FetchWork) -> FollowSpec? {
        let object = cursor.object(.follow)
        let prefetch = object["prefetch"]?.bool()
        guard let relationship = object["relationship"], let name = name(relationship) else { return nil }
        let follow = FollowSpec(relationship: name, prefetch: prefetch ?? false)
        check(work, cursor)
        return follow
    }

    private func name(_ cursor: JSONCursor) -> String? {
        guard let name = cursor.string(lengthMax: ScenarioLimits.nameLength) else { return nil }
        let known = entity.schema.entity.relationships.map(\.name)
        guard !known.isEmpty else {
            if entity.isSound {
                cursor.refuse(
                    "a relationship of \(entity.spec.name), which has none", expected: "an entity with relationships")
            }
            return nil
        }
        if let relationship = entity.schema.relationship(name) {
            entity.refuseOtherKind(relationship, cursor)
            entity.refuseRelationshipOfFile(name, cursor)
            return name
        }
        entity.refuseUnknown("relationship", name, among: known, cursor)
        return nil
    }

    private func check(_ work: FetchWork, _ cursor: JSONCursor) {
        if work.mode != .sync {
            cursor.refuse("a relationship followed in mode \(work.mode)", expected: "mode sync")
        }
        if work.touch != .all || work.attributes != nil {
            cursor.refuse(
                "a relationship followed without touching everything", expected: "touch all, and no attributes")
        }
    }
}
