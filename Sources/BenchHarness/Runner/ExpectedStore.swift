/// The expected content of the store: the harness's own model of it, computed from the generators alone.
///
/// The harness judges drivers by it, so it shares no code with any of them. Each entity has its records; the functions
/// are about those of the entity that a phase is about, the focus of the schema, unless they say otherwise.
public struct ExpectedStore: Sendable {
    /// The records of each entity of the scenario, by its place in the schema.
    private(set) var entities: [ExpectedRecords]
    /// The entities and their relationships.
    private(set) var schema: Schema
    /// What updates made of many-to-many relationships.
    var links = ExpectedLinks()

    /// Creates the model of an empty store with records of one entity.
    public init(generator: RecordGenerator) { self.init([generator]) }

    /// Creates the model of an empty store, by the generators of its records.
    package init(_ generators: [RecordGenerator]) {
        entities = generators.map { ExpectedRecords(generator: $0) }
        schema = Schema(generators.map(\.entity))
    }

    /// Creates the model of an empty store, as a phase sees it.
    init(emptyFor view: Scenario) {
        self.init(view.entities.map { RecordGenerator(entity: $0, seed: view.seed) })
        schema = schema.focused(on: view.focus)
    }

    /// Creates the model of a seeded store, as a phase sees it.
    init(seededFor view: Scenario) {
        self.init(emptyFor: view)
        seed(records: view.records)
    }

    /// Creates the model of a copy of a file, whose other records no phase changes.
    init(_ copied: CopiedRecords, generator: RecordGenerator) {
        entities = [ExpectedRecords(generator: generator, copied: copied)]
        schema = Schema(generator.entity)
    }

    /// Returns the model for a phase about another entity.
    func focused(on entity: String) -> ExpectedStore {
        var store = self
        if let place = schema.place(of: entity) { store.schema = schema.focused(on: place) }
        return store
    }

    /// The records that a phase is about.
    private var focus: ExpectedRecords {
        get { entities[schema.focus] }
        set { entities[schema.focus] = newValue }
    }

    /// Makes the records in their state at insertion.
    public var generator: RecordGenerator { focus.generator }

    /// Whether the store is a copy of a file.
    var isCopy: Bool { focus.copied != nil }

    /// What was wrong with the file already.
    var knownProblems: Set<String> { focus.copied?.problems ?? [] }

    /// Inserts the records with the ordinals `0..<records`, and those of the other entities.
    /// - Precondition: The store is empty.
    public mutating func seed(records: Int) {
        precondition(!isSeeded, "a store is seeded once: a second time would give records the same ordinals")
        for place in entities.indices {
            entities[place].insert(0..<(place == schema.focus ? records : entities[place].entity.records ?? 0))
        }
    }

    /// Inserts the records with `ordinals`, none of which was inserted before.
    mutating func insert(_ ordinals: Range<Int>) { focus.insert(ordinals) }

    /// The ordinals of all records that were ever inserted, those that were deleted since included.
    var inserted: [Range<Int>] { focus.inserted }

    /// The ordinal of the next new record. Those of deleted records are not given out again, just as keys are not.
    var nextOrdinal: Int { focus.nextOrdinal }

    /// Whether the store was seeded, even if no records remain.
    var isSeeded: Bool { !inserted.isEmpty }

    /// Applies a step to every record, and inserts the records with the ordinals of `inserts`.
    mutating func append(_ step: some ExpectedStep, inserting inserts: [Range<Int>] = []) {
        focus.append(step, inserting: inserts)
    }

    /// Applies a step to every record of the entity at a place.
    mutating func append(_ step: some ExpectedStep, to place: Int) { entities[place].append(step, inserting: []) }

    /// The values that records got in place of the generator's, by the positions of attributes, by ordinal.
    var planted: [Int: [Int: FieldValue]] { focus.planted }

    /// Notes how the store counts the saves of the latest phase: the next phase adds to the versions that it left.
    mutating func settle(_ versions: VersionSum) { focus.settle(versions) }
}

// MARK: - What a phase must have found or left

extension ExpectedStore {
    /// Returns the digest of every record. Linear in the number of records the first time, and cached until the store
    /// changes.
    public func digest() -> RecordDigest { content().records }

    /// Returns the digest of every record, and the sums of their versions.
    func content() -> ExpectedContent { focus.content() }

    /// Returns the digest of all content, in any order: every record, then every record of another entity with its
    /// number, and what relationships to many keep.
    public func digestOfAll() -> RecordDigest {
        var all = digest()
        if let copied = focus.copied {
            all.addUnordered(copied.others)
            return all
        }
        for place in entities.indices where place != schema.focus {
            all.addUnordered(entities[place].digest(withNumbers: schema.hasNumbers(place)))
        }
        all.addUnordered(linksDigest())
        all.addUnordered(ordersDigest())
        return all
    }

    /// Returns the expected result of a fetch, whether or not the fetch is then cancelled.
    public func expectation(for fetch: FetchWork) -> FetchExpectation {
        FetchExpectation(fetch, in: self)
    }
}

// MARK: - Records

extension ExpectedStore {
    /// Returns the record with an ordinal in its current state; nil if there is none.
    func record(_ ordinal: Int) -> [FieldValue]? { focus.record(ordinal) }

    /// Returns the number of records that a filter lets through; of all for nil.
    func count(matching filter: FilterSpec?) -> Int {
        expectation(for: FetchWork(mode: .sync, filter: filter, touch: .none)).count
    }

    /// Calls `body` with each matching record in its current state; the array is reused from one record to the next.
    func forEachRecord(matching filter: RecordFilter? = nil, _ body: ([FieldValue]) -> Void) {
        focus.forEachRecord(matching: filter) { record, _ in body(record) }
    }

    /// Calls `body` with each matching record in its current state and its ordinal.
    func forEachRecord(matching filter: RecordFilter? = nil, _ body: ([FieldValue], Int) -> Void) {
        focus.forEachRecord(matching: filter, body)
    }

    /// Calls `goesOn` with each record in its current state and its ordinal, until it returns false.
    func walkRecords(_ goesOn: ([FieldValue], Int) -> Bool) {
        focus.forEachVersion { record, ordinal, _ in goesOn(record, ordinal) }
    }
}
