import Foundation
import Locking

/// The expected content of the store: the harness's own model of it, computed from the generator alone.
///
/// The harness judges drivers by it, so it shares no code with any of them. It holds no records: the generator makes
/// those of a million again each time. The effects of phases are a short list of steps that each record goes through.
/// Ordinals identify records.
public struct ExpectedStore: Sendable {
    /// Makes the records in their state at insertion.
    public let generator: RecordGenerator
    /// The records of the file that the store is a copy of, by their ordinals; nil if the generator makes them.
    private var copied: CopiedRecords?
    private var births: [Birth] = []
    private var steps: [Step] = []
    /// What must be in the store of the scenario's other entities.
    var others: [ExpectedStore] = []
    /// The content, after its first use. Copies of a store share it until one of them changes and takes a new one.
    private var cache = Locked<ExpectedContent?>(nil)
    /// The digest of the records with their numbers, likewise.
    private var numbered = Locked<RecordDigest?>(nil)

    /// The effects of a phase.
    private struct Step: Sendable {
        let effects: any ExpectedStep
        /// Whether versions count saves that changed nothing; nil before the store was inspected.
        var rule: UnchangedSaves?
    }

    /// Records that were inserted together, and the number of steps before their insertion.
    private struct Birth: Sendable {
        let ordinals: Range<Int>
        let step: Int
    }

    /// Creates the model of an empty store.
    public init(generator: RecordGenerator) {
        self.generator = generator
    }

    /// Creates the model of a copy of a file.
    init(_ copied: CopiedRecords, generator: RecordGenerator) {
        self.generator = generator
        self.copied = copied
        births = [Birth(ordinals: copied.records.indices, step: 0)]
    }

    /// Whether the store is a copy of a file.
    var isCopy: Bool { copied != nil }

    /// What was wrong with the file already.
    var knownProblems: Set<String> { copied?.problems ?? [] }

    /// Inserts the records with the ordinals `0..<records`.
    /// - Precondition: The store is empty.
    public mutating func seed(records: Int) {
        precondition(births.isEmpty, "a store is seeded once: a second time would give records the same ordinals")
        births.append(Birth(ordinals: 0..<records, step: steps.count))
        forgetContent()
        for place in others.indices { others[place].seed(records: others[place].generator.entity.records ?? 0) }
    }

    /// Inserts the records with `ordinals`, none of which was inserted before.
    mutating func insert(_ ordinals: Range<Int>) {
        births.append(Birth(ordinals: ordinals, step: steps.count))
        forgetContent()
    }

    /// The ordinals of all records that were ever inserted, those that were deleted since included.
    var inserted: [Range<Int>] { births.map(\.ordinals) }

    /// The ordinal of the next new record. Those of deleted records are not given out again, just as keys are not.
    var nextOrdinal: Int { inserted.map(\.upperBound).max() ?? 0 }

    /// Whether the store was seeded, even if no records remain.
    var isSeeded: Bool { !births.isEmpty }

    /// Applies a step to every record, and inserts the records with the ordinals of `inserts`.
    mutating func append(_ step: some ExpectedStep, inserting inserts: [Range<Int>] = []) {
        steps.append(Step(effects: step))
        births += inserts.filter { !$0.isEmpty }.map { Birth(ordinals: $0, step: steps.count) }
        forgetContent()
    }

    private mutating func forgetContent() {
        cache = Locked(nil)
        numbered = Locked(nil)
    }

    /// The values that records got in place of the generator's, by the positions of attributes, by ordinal.
    var planted: [Int: [Int: FieldValue]] {
        steps.lazy.compactMap { ($0.effects as? PlantedValues)?.records }.last ?? [:]
    }

    /// Notes how the store counts the saves of the latest phase: the next phase adds to the versions that it left.
    mutating func settle(_ versions: VersionSum) {
        var content = content()
        guard let rule = content.rule(of: versions), let last = steps.indices.last, steps[last].rule == nil else {
            return
        }
        steps[last].rule = rule
        content.settle(rule)
        cache = Locked(content)
    }
}

// MARK: - What a phase must have found or left

extension ExpectedStore {
    /// Returns the digest of every record. Linear in the number of records the first time, and cached until the store
    /// changes.
    public func digest() -> RecordDigest { content().records }

    /// Returns the digest of every record, and the sums of their versions.
    func content() -> ExpectedContent {
        cache.withLock { cached in
            if let cached { return cached }
            var content = ExpectedContent()
            forEachVersion { record, _, version in
                content.add(record, version)
                return true
            }
            cached = content
            return content
        }
    }

    /// Returns the digest of all content, in any order: every record, then every owner or record of another entity,
    /// each with its number.
    public func digestWithOwners() -> RecordDigest {
        if !others.isEmpty {
            var all = digest()
            for other in others { all.addUnordered(other.numberedDigest()) }
            all.addUnordered(linksDigest())
            all.addUnordered(ordersDigest())
            return all
        }
        if let copied {
            var all = digest()
            all.addUnordered(copied.owners)
            return all
        }
        guard isSeeded, let owner = generator.entity.owner else { return digest() }
        var digester = RecordDigester(continuing: digest())
        for number in 1...owner.records { digester.addRecord(self.owner(number)) }
        return digester.digest
    }

    /// Returns the expected result of a fetch, whether or not the fetch is then cancelled.
    public func expectation(for fetch: FetchWork) -> FetchExpectation {
        FetchExpectation(fetch, in: self)
    }
}

// MARK: - Records

extension ExpectedStore {
    /// Returns the record with an ordinal in its current state; nil if there is none.
    func record(_ ordinal: Int) -> [FieldValue]? {
        guard let birth = births.first(where: { $0.ordinals.contains(ordinal) }) else { return nil }
        var record = generator.entity.attributes.indices.map { value($0, ordinal) }
        return live(&record, ordinal, since: birth.step) == nil ? nil : record
    }

    /// Returns the attributes of the owner with a number, and the number. No phase changes owners.
    func owner(_ number: Int) -> [FieldValue] {
        guard let owners = generator.owners else { return [] }
        return owners.entity.attributes.indices.map { owners.value($0, number - 1) } + [.int64(Int64(number))]
    }

    /// Returns the number of records that a filter lets through; of all for nil.
    func count(matching filter: FilterSpec?) -> Int {
        expectation(for: FetchWork(mode: .sync, filter: filter, touch: .none)).count
    }

    /// Calls `body` with each matching record in its current state; the array is reused from one record to the next.
    func forEachRecord(matching filter: RecordFilter? = nil, _ body: ([FieldValue]) -> Void) {
        forEachRecord(matching: filter) { record, _ in body(record) }
    }

    /// Calls `body` with each matching record in its current state and its ordinal.
    func forEachRecord(matching filter: RecordFilter? = nil, _ body: ([FieldValue], Int) -> Void) {
        forEachVersion { record, ordinal, _ in
            if filter?.matches({ record[$0] }, ordinal: ordinal) ?? true { body(record, ordinal) }
            return true
        }
    }

    /// Calls `goesOn` with each record in its current state and its ordinal, until it returns false.
    func walkRecords(_ goesOn: ([FieldValue], Int) -> Bool) {
        forEachVersion { record, ordinal, _ in goesOn(record, ordinal) }
    }

    /// Calls `goesOn` with each record in its current state, its ordinal and its version, until it returns false.
    private func forEachVersion(while goesOn: ([FieldValue], Int, ExpectedVersion) -> Bool) {
        let attributes = generator.entity.attributes.indices
        var record = attributes.map { _ in FieldValue.null }
        for birth in births {
            for ordinal in birth.ordinals {
                for attribute in attributes { record[attribute] = value(attribute, ordinal) }
                guard let version = live(&record, ordinal, since: birth.step) else { continue }
                if !goesOn(record, ordinal, version) { return }
            }
        }
    }

    /// Returns the digest of every record with its number, as of a record of another entity than the phase's.
    private func numberedDigest() -> RecordDigest {
        numbered.withLock { cached in
            if let cached { return cached }
            var digester = RecordDigester()
            forEachRecord { record, ordinal in digester.addRecord(record + [.int64(Int64(ordinal) + 1)]) }
            cached = digester.digest
            return digester.digest
        }
    }

    /// The value that a record began with.
    private func value(_ attribute: Int, _ ordinal: Int) -> FieldValue {
        copied?.records[ordinal].values[attribute] ?? generator.value(attribute, ordinal)
    }

    /// Applies the steps since its insertion to a record.
    ///
    /// - Returns: The record's version; nil if a step deletes the record.
    private func live(_ record: inout [FieldValue], _ ordinal: Int, since step: Int) -> ExpectedVersion? {
        var version = ExpectedVersion(copied?.records[ordinal].version ?? 1)
        for step in steps[step...] {
            switch step.effects.apply(to: &record, ordinal) {
            case .none: break
            case .saved(let isChanged): version.count(isChanged: isChanged, step.rule)
            case .deleted: return nil
            }
        }
        return version
    }
}

extension RecordDigester {
    /// Feeds a whole record.
    mutating func addRecord(_ record: [FieldValue]) {
        for value in record { add(value) }
        endRecord()
    }
}
