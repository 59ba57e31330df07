/// What a load must leave as it was: the owners of its records, or the records of the scenario's other entities with
/// their relationships.
struct LoadSurroundings {
    private let expected: RecordDigest
    private var own = RecordDigester()

    /// Nil where there is nothing besides the records, or where new and deleted ones change it.
    init?(of expected: ExpectedStore, during work: LoadWork) {
        let entity = expected.generator.entity
        if !expected.hasSeveralEntities {
            if entity.owner == nil { return nil }
        } else {
            // Moved records come last in the order of their new place.
            if entity.toOnes.contains(where: \.isOrdered) { return nil }
            let isAlone = !expected.schema.affectsOthers(byRecordsOf: expected.schema.focus)
            if !isAlone, work.makesRecords || work.deletesItsOwn { return nil }
        }
        self.expected = expected.digestWithOwners().without(expected.digest())
    }

    /// Adds a record of the load's own entity as the store holds it after the load.
    mutating func add(_ record: StoredRecord) { own.addRecord(record.values) }

    /// Returns what is wrong with a store that has this content, once every record was added.
    func problems(_ content: RecordDigest) -> [String] {
        if content.without(own.digest) == expected { return [] }
        return ["the load changed owners, or records of other entities, which do not hold the expected values"]
    }
}
