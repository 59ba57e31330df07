/// What a load must leave as it was: the records of the scenario's other entities, with their relationships.
struct LoadSurroundings {
    private let expected: RecordDigest
    private var own = RecordDigester()

    /// Nil where there is nothing besides the records, or where new and deleted ones change it.
    init?(of expected: ExpectedStore, during works: [LoadWork]) {
        if expected.schema.others.isEmpty { return nil }
        // Moved records come last in the order of their new place.
        if expected.generator.entity.toOnes.contains(where: \.isOrdered) { return nil }
        let (schema, deletes) = (expected.schema, works.contains(where: \.deletesItsOwn))
        let isGrowing = deletes || works.contains(where: \.makesRecords)
        if isGrowing, schema.affectsOthers(byRecordsOf: schema.focus, deletes: deletes) { return nil }
        self.expected = expected.digestOfAll().without(expected.digest())
    }

    /// Adds a record of the load's own entity as the store holds it after the load.
    mutating func add(_ record: StoredRecord) { own.addRecord(record.values) }

    /// Returns what is wrong with a store that has this content, once every record was added.
    func problems(_ content: RecordDigest) -> [String] {
        if content.without(own.digest) == expected { return [] }
        return ["the load changed records of other entities, which do not hold the expected values"]
    }
}
