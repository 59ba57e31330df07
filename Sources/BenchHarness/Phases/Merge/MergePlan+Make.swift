extension MergePlan {
    /// Returns the plan of a merge phase on a store with `records` records: the same for every driver and repetition of
    /// a scenario.
    ///
    /// The plan divides the records into as many ranges as there are saves, and deals the ranges to the saves in random
    /// order. Thus each writer works all over the store, no two saves meet, and a save changes and deletes neighbours
    /// as real work does. Inserted records have the ordinals from `records` upward.
    /// - Precondition: `records` suffice for the changes and deletes, which the scenario reader checks.
    public static func make(work: MergeWork, records: Int, seed: UInt64) -> MergePlan {
        precondition(work.recordsNeeded <= records, "a merge needs \(work.recordsNeeded) records, not \(records)")
        var random = SplitMix64(state: seed)
        let stretch = records / work.saves
        let starts = (0..<work.saves).map { $0 * stretch }.shuffled(using: &random)
        var nextInsert = records
        let saves = starts.map { start in
            let slack = stretch - work.changesPerSave - work.deletesPerSave
            let changes = start + Int(random.next() % UInt64(slack + 1))
            let deletes = changes + work.changesPerSave
            defer { nextInsert += work.insertsPerSave }
            return Save(
                inserts: nextInsert..<(nextInsert + work.insertsPerSave), changes: changes..<deletes,
                deletes: deletes..<(deletes + work.deletesPerSave))
        }
        let writers = (0..<work.writers).map { writer in
            Array(saves[(writer * work.savesPerWriter)..<((writer + 1) * work.savesPerWriter)])
        }
        return MergePlan(set: work.set, writers: writers)
    }

    /// Every save of every writer.
    var saves: [Save] { writers.flatMap { $0 } }
}
