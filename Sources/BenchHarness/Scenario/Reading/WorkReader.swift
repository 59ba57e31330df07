/// Reads what a phase does, by its kind.
struct WorkReader {
    let entity: EntitySpec
    /// Records in the store when the phase starts.
    let records: Int

    func seed(_ object: JSONObjectCursor) throws(ScenarioError) -> SeedWork {
        SeedWork(saveEvery: try object["saveEvery"]?.integer(in: ScenarioLimits.records) ?? 0)
    }

    func fetch(_ object: JSONObjectCursor) throws(ScenarioError) -> FetchWork {
        var work = FetchWork(mode: try object.required("mode").choice("fetch mode"))
        if let sort = object["sort"] { work.sort = try self.sort(sort) }
        if let filter = object["filter"] { work.filter = try FilterReader(entity: entity).read(filter) }
        if let limit = object["limit"] { work.limit = try limit.integer(in: ScenarioLimits.records) }
        if let touch = object["touch"] { work.touch = try touch.choice("touch") }
        if let attributes = object["attributes"] { work.attributes = try self.attributes(attributes, of: work) }
        if let follow = object["follow"] { work.follow = try FollowReader(entity: entity).read(follow, of: work) }
        if let cancel = object["cancelAfterRecords"] {
            work.cancelAfterRecords = try cancelAfterRecords(cancel, of: work)
        }
        return work
    }

    func update(_ object: JSONObjectCursor) throws(ScenarioError) -> UpdateWork {
        var work = UpdateWork(
            mode: try object.required("mode").choice("update mode"), set: try changes(object.required("set")))
        if let filter = object["filter"] { work.filter = try FilterReader(entity: entity).read(filter) }
        if let chunkSize = object["chunkSize"] {
            guard work.mode == .chunked else {
                throw chunkSize.error("a chunkSize in mode \(work.mode)", expected: "it in mode chunked alone")
            }
            work.chunkSize = try chunkSize.integer(in: ScenarioLimits.records)
        }
        return work
    }

    func merge(_ object: JSONObjectCursor) throws(ScenarioError) -> Phase.Work {
        let perSave = ScenarioLimits.perSave
        let saves = try object["savesPerWriter"]?.integer(in: ScenarioLimits.savesPerWriter)
        let work = MergeWork(
            mode: try object.required("mode").choice("merge mode"),
            writers: try object.required("writers").integer(in: ScenarioLimits.writers), savesPerWriter: saves ?? 1,
            insertsPerSave: try object.required("insertsPerSave").integer(in: perSave),
            changesPerSave: try object.required("changesPerSave").integer(in: perSave),
            deletesPerSave: try object.required("deletesPerSave").integer(in: perSave),
            set: try object["set"].map { (cursor) throws(ScenarioError) in try changes(cursor) } ?? [])
        try check(work, object)
        if LoadReader.keepsLedger(work, object) {
            let sort = try object["sort"].map { (cursor) throws(ScenarioError) in try self.sort(cursor) } ?? []
            return .load(try loads.saves(work, count: saves, sort: sort, object))
        }
        if saves == nil {
            throw object.cursor.error("the key \"savesPerWriter\" is missing", expected: "it or duration_s")
        }
        try checkRecords(work, object)
        return .merge(work)
    }

    func mixed(_ object: JSONObjectCursor) throws(ScenarioError) -> LoadWork { try loads.mixed(object) }

    private var loads: LoadReader { LoadReader(entity: entity, records: records) }
}

// MARK: - Rules between keys

extension WorkReader {
    private func cancelAfterRecords(_ cursor: JSONCursor, of work: FetchWork) throws(ScenarioError) -> Int {
        guard work.mode == .async else {
            throw cursor.error("cancelAfterRecords in mode \(work.mode)", expected: "it in mode async alone")
        }
        let found = work.limit == 0 ? records : min(work.limit, records)
        guard found > 1 else {
            throw cursor.error("cancelAfterRecords on \(found) records", expected: "a fetch of at least 2")
        }
        // At the last record there is nothing left to cancel.
        return try cursor.integer(in: 1...(found - 1))
    }

    private func attributes(_ cursor: JSONCursor, of work: FetchWork) throws(ScenarioError) -> [String] {
        guard work.mode == .sync else {
            throw cursor.error("attributes in mode \(work.mode)", expected: "them in mode sync alone")
        }
        var names: [String] = []
        for element in try cursor.array(count: ScenarioLimits.attributes, of: "attributes") {
            let name = try element.attribute(of: entity).name
            if names.contains(name) {
                throw element.error("the attribute \(name.quoted) a second time", expected: "each once")
            }
            names.append(name)
        }
        // Without its sort keys nobody could tell whether a result is in order.
        if let missing = work.sort.first(where: { !names.contains($0.key) }) {
            throw cursor.error("attributes without the sort key \(missing.key.quoted)", expected: "it among them")
        }
        return names
    }

    private func check(_ work: MergeWork, _ object: JSONObjectCursor) throws(ScenarioError) {
        if work.insertsPerSave + work.changesPerSave + work.deletesPerSave == 0 {
            throw object.cursor.error(
                "a merge whose saves change nothing",
                expected: "insertsPerSave, changesPerSave or deletesPerSave above 0")
        }
        if work.changesPerSave > 0, work.set.isEmpty {
            throw object.cursor.error(
                "the key \"set\" is missing", expected: "it beside changesPerSave, to say what a change does")
        }
    }

    private func checkRecords(_ work: MergeWork, _ object: JSONObjectCursor) throws(ScenarioError) {
        let inserts = work.saves * work.insertsPerSave
        if records + inserts > ScenarioLimits.records.upperBound {
            throw object.cursor.error(
                "a merge that inserts \(inserts.grouped) records",
                expected: "at most \(ScenarioLimits.records.upperBound.grouped) records in the store")
        }
        let needed = work.recordsNeeded
        if needed > records {
            throw object.cursor.error(
                "a merge that changes and deletes \(needed.grouped) records",
                expected: "writers * savesPerWriter * (changesPerSave + deletesPerSave) <= \(records.grouped), "
                    + "the records in the store")
        }
    }
}

// MARK: - Sort keys and changes

extension WorkReader {
    private func sort(_ cursor: JSONCursor) throws(ScenarioError) -> [SortSpec] {
        var specs: [SortSpec] = []
        for element in try cursor.array(count: ScenarioLimits.sortKeys, of: "sort keys") {
            let object = try element.object(.sort)
            let key = try object.required("key")
            let attribute = try key.attribute(of: entity)
            if attribute.type == .data {
                throw key.error("the data attribute \(attribute.name.quoted)", expected: "an attribute with an order")
            }
            if specs.contains(where: { $0.key == attribute.name }) {
                throw key.error("the sort key \(attribute.name.quoted) a second time", expected: "each once")
            }
            specs.append(SortSpec(key: attribute.name, ascending: try object["ascending"]?.bool() ?? true))
        }
        return specs
    }

    private func changes(_ cursor: JSONCursor) throws(ScenarioError) -> [AttributeChange] {
        let members = try cursor.members(expected: "an object of attributes and their new values")
        if members.isEmpty { throw cursor.error("an empty object", expected: "at least one attribute") }
        return try members.map { (member) throws(ScenarioError) in
            if let owner = entity.owner, member.key == owner.relationship {
                let number = try member.value.integer(in: 1...owner.records)
                return AttributeChange(attribute: owner.relationship, operation: .assign(.int64(Int64(number))))
            }
            let attribute = try member.value.attribute(called: member.key, of: entity)
            return AttributeChange(attribute: attribute.name, operation: try operation(member.value, attribute))
        }
    }

    private func operation(
        _ cursor: JSONCursor, _ attribute: AttributeSpec
    ) throws(ScenarioError) -> AttributeChange.Operation {
        guard case .object = cursor.node.value else { return .assign(try cursor.fieldValue(attribute.type)) }
        switch attribute.type {
        case .bool:
            let toggle = try cursor.object(.toggle).required("toggle")
            guard try toggle.bool() else { throw toggle.mismatch(expected: "true") }
            return .toggle
        case .date:
            return .add(try cursor.object(.addSeconds).required("addSeconds").number(in: ScenarioLimits.seconds))
        case .int64:
            return .add(Double(try cursor.object(.add).required("add").integer(in: ScenarioLimits.integers)))
        case .double:
            return .add(try cursor.object(.add).required("add").number(in: ScenarioLimits.doubles))
        case .string, .data:
            throw cursor.error("an operation on the \(attribute.type) attribute", expected: "a new value")
        }
    }
}

extension MergeWork {
    /// Saves of all writers.
    var saves: Int { writers * savesPerWriter }
    /// Records that must be in the store, so that no two saves touch the same one.
    var recordsNeeded: Int { saves * (changesPerSave + deletesPerSave) }
}
