import Foundation
import Locking

/// The expected records of one entity, computed from the generator alone.
///
/// It holds no records: the generator makes those of a million again each time. The effects of phases are a short list
/// of steps that each record goes through. Ordinals identify records.
struct ExpectedRecords: Sendable {
    /// Makes the records in their state at insertion.
    let generator: RecordGenerator
    /// The records of the file that the store is a copy of, by their ordinals; nil if the generator makes them.
    let copied: CopiedRecords?
    private var births: [Birth] = []
    private var steps: [Step] = []
    /// The content, after its first use. Copies share it until one of them changes and takes a new one.
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

    /// Creates no records yet, or those of a copy of a file.
    init(generator: RecordGenerator, copied: CopiedRecords? = nil) {
        self.generator = generator
        self.copied = copied
        if let copied { births = [Birth(ordinals: copied.records.indices, step: 0)] }
    }

    /// The entity of the records.
    var entity: EntitySpec { generator.entity }

    /// Inserts the records with `ordinals`, none of which was inserted before.
    mutating func insert(_ ordinals: Range<Int>) {
        births.append(Birth(ordinals: ordinals, step: steps.count))
        forgetContent()
    }

    /// The ordinals of all records that were ever inserted, those that were deleted since included.
    var inserted: [Range<Int>] { births.map(\.ordinals) }

    /// The ordinal of the next new record. Those of deleted records are not given out again, just as keys are not.
    var nextOrdinal: Int { inserted.map(\.upperBound).max() ?? 0 }

    /// Applies a step to every record, and inserts the records with the ordinals of `inserts`.
    mutating func append(_ step: some ExpectedStep, inserting inserts: [Range<Int>]) {
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

    /// Notes how the store counts the saves of the latest phase, and of those before that were about other entities:
    /// the next phase adds to the versions that they left.
    mutating func settle(_ versions: VersionSum) {
        var content = content()
        guard let rule = content.rule(of: versions), let last = steps.last, last.rule == nil else { return }
        for step in steps.indices where steps[step].rule == nil { steps[step].rule = rule }
        content.settle(rule)
        cache = Locked(content)
    }

    /// Returns the digest of every record, and the sums of their versions. Linear in the number of records the first
    /// time, and remembered until they change.
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

    /// Returns the digest of every record as of one of another entity than the phase's: with its number, if it has one.
    func digest(withNumbers hasNumbers: Bool) -> RecordDigest {
        numbered.withLock { cached in
            if let cached { return cached }
            var digester = RecordDigester()
            forEachRecord { record, ordinal in
                digester.addRecord(record + (hasNumbers ? [.int64(Int64(ordinal) + 1)] : []))
            }
            cached = digester.digest
            return digester.digest
        }
    }
}

// MARK: - Records

extension ExpectedRecords {
    /// Returns the record with an ordinal in its current state; nil if there is none.
    func record(_ ordinal: Int) -> [FieldValue]? {
        guard let birth = births.first(where: { $0.ordinals.contains(ordinal) }) else { return nil }
        var record = entity.attributes.indices.map { value($0, ordinal) }
        return live(&record, ordinal, since: birth.step) == nil ? nil : record
    }

    /// Calls `body` with each matching record in its current state and its ordinal; the array is reused from one record
    /// to the next.
    func forEachRecord(matching filter: RecordFilter? = nil, _ body: ([FieldValue], Int) -> Void) {
        forEachVersion { record, ordinal, _ in
            if filter?.matches({ record[$0] }, ordinal: ordinal) ?? true { body(record, ordinal) }
            return true
        }
    }

    /// Calls `goesOn` with each record in its current state, its ordinal and its version, until it returns false.
    func forEachVersion(while goesOn: ([FieldValue], Int, ExpectedVersion) -> Bool) {
        let attributes = entity.attributes.indices
        var record = attributes.map { _ in FieldValue.null }
        for birth in births {
            for ordinal in birth.ordinals {
                for attribute in attributes { record[attribute] = value(attribute, ordinal) }
                guard let version = live(&record, ordinal, since: birth.step) else { continue }
                if !goesOn(record, ordinal, version) { return }
            }
        }
    }

    /// Returns the numbers of the records that a step deletes.
    func numbers(deletedBy step: some ExpectedStep) -> Set<Int64> {
        var numbers: Set<Int64> = []
        forEachRecord { record, ordinal in
            var record = record
            if case .deleted = step.apply(to: &record, ordinal) { numbers.insert(Int64(ordinal) + 1) }
        }
        return numbers
    }

    /// Returns the numbers of the records by the number that each has at the position of an attribute.
    func numbers(by attribute: Int) -> [Int64: [Int64]] {
        var numbers: [Int64: [Int64]] = [:]
        forEachRecord { record, ordinal in
            if case .int64(let key) = record[attribute] { numbers[key, default: []].append(Int64(ordinal) + 1) }
        }
        return numbers
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
            case .lost(let count):
                // After the first, a save for each finds nothing more to change in a store that writes a record once.
                for number in 0..<count { version.count(isChanged: number == 0, step.rule) }
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
