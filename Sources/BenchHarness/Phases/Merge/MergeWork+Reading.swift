extension MergeWork {
    static let kind = PhaseKind(
        "merge",
        "Background writers save according to a plan made in advance; a main-queue context merges their saves.",
        allowsSubentities: true, isExact: false,
        keys: [
            SaveParts.writers,
            .required("saves_per_writer", .integer(ScenarioLimits.savesPerWriter), "Saves by each writer."),
        ] + SaveParts.keys
    ) { object, start in
        let savesPerWriter = object["saves_per_writer"]?.integer()
        guard let writers = object["writers"]?.integer(),
            let parts = SaveParts(object, start.entity), let savesPerWriter
        else { return nil }
        let work = MergeWork(
            writers: writers, savesPerWriter: savesPerWriter, insertsPerSave: parts.inserts,
            changesPerSave: parts.changes, deletesPerSave: parts.deletes, set: parts.set)
        work.check(object, records: start.state.records)
        // The plan names records by their ordinals: it would name deleted ones, or insert some a second time.
        if start.state.isAltered {
            start.from?.refuse(
                "a merge of a store to which records were added, or from which some were deleted", expected: "seeded")
            return nil
        }
        return work
    }

    private func check(_ object: JSONObjectCursor, records: Int?) {
        guard let records else { return }
        let inserts = saves * insertsPerSave
        if records + inserts > ScenarioLimits.records.upperBound {
            object.cursor.refuse(
                "a merge that inserts \(inserts.grouped) records",
                expected: "at most \(ScenarioLimits.records.upperBound.grouped) records in the store")
        }
        if recordsNeeded > records {
            object.cursor.refuse(
                "a merge that changes and deletes \(recordsNeeded.grouped) records",
                expected: "writers * saves_per_writer * (changes_per_save + deletes_per_save) <= \(records.grouped), "
                    + "the records in the store")
        }
    }
}

/// The work of every save of a phase.
struct SaveParts {
    let inserts: Int
    let changes: Int
    let deletes: Int
    let set: [AttributeChange]

    static let writers = ObjectShape.Key.required(
        "writers", .integer(ScenarioLimits.writers), "Concurrent writers.")
    /// The keys that say what a save does.
    static let keys: [ObjectShape.Key] = [
        .required("inserts_per_save", .integer(ScenarioLimits.perSave), "Records inserted in each save."),
        .required("changes_per_save", .integer(ScenarioLimits.perSave), "Records changed in each save."),
        .required("deletes_per_save", .integer(ScenarioLimits.perSave), "Records deleted in each save."),
        .optional("set", .changes),
    ]

    /// Reads the keys of a phase with saves; nil if one of them is wrong.
    init?(_ object: JSONObjectCursor, _ entity: KnownEntity) {
        set = object["set"]?.changes(of: entity) ?? []
        let changed = Set(set.map(\.attribute))
        if let owner = entity.spec.toOnes.map(\.relationship).first(where: changed.contains) {
            object["set"]?.refuse(
                "a move to another \(owner.quoted) in saves of several records",
                expected: "an update, which moves records")
        }
        let counts = ["inserts_per_save", "changes_per_save", "deletes_per_save"].map {
            object[$0]?.integer()
        }
        guard let inserts = counts[0], let changes = counts[1], let deletes = counts[2] else { return nil }
        (self.inserts, self.changes, self.deletes) = (inserts, changes, deletes)
        if inserts + changes + deletes == 0 {
            object.cursor.refuse(
                "saves that change nothing", expected: "inserts_per_save, changes_per_save or deletes_per_save above 0")
        }
        if changes > 0, object["set"] == nil {
            object.cursor.refuse(
                "the key \"set\" is missing", expected: "it beside changes_per_save, to say what a change does")
        }
    }
}
