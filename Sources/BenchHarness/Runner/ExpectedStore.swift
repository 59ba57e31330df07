import Foundation

/// What must be in the store: the harness's own model of it, computed from the generator alone.
///
/// Drivers are judged by it, so it shares no code with any of them. It holds no records: those of a million are made
/// anew whenever they are asked for, and what phases did to them is a short list of steps that each record goes
/// through. Records are identified by their ordinals.
public struct ExpectedStore: Sendable {
    /// Makes the records as they are when inserted.
    public let generator: RecordGenerator
    private var births: [Birth] = []
    private var steps: [any ExpectedStep] = []
    private var cache = DigestCache()

    /// Records that were inserted together, and how many steps came before them.
    private struct Birth: Sendable {
        let ordinals: Range<Int>
        let step: Int
    }

    /// Creates the model of an empty store.
    public init(generator: RecordGenerator) {
        self.generator = generator
    }

    /// Inserts the records with the ordinals `0..<records`.
    /// - Precondition: the store is empty.
    public mutating func seed(records: Int) {
        precondition(births.isEmpty, "a store is seeded once: a second time would give records the same ordinals")
        births.append(Birth(ordinals: 0..<records, step: steps.count))
        cache = DigestCache()
    }

    /// Whether there are records, or were.
    var isSeeded: Bool { !births.isEmpty }

    /// Does a step to every record, and inserts the records with the ordinals of `inserts`.
    mutating func append(_ step: some ExpectedStep, inserting inserts: [Range<Int>] = []) {
        steps.append(step)
        births += inserts.filter { !$0.isEmpty }.map { Birth(ordinals: $0, step: steps.count) }
        cache = DigestCache()
    }
}

// MARK: - What a phase must have found or left

extension ExpectedStore {
    /// The digest of every record. Linear in the records the first time, remembered until the store changes.
    public func digest() -> RecordDigest {
        cache.digest {
            var digester = RecordDigester()
            forEachRecord { digester.addRecord($0) }
            return digester.digest
        }
    }

    /// The digest of all that is in the store: every record, and behind them every owner. Its order means nothing.
    public func digestWithOwners() -> RecordDigest {
        guard isSeeded, let owner = generator.entity.owner else { return digest() }
        var digester = RecordDigester(continuing: digest())
        for number in 1...owner.records { digester.addRecord(self.owner(number)) }
        return digester.digest
    }

    /// What a fetch must find, whether or not it is then cancelled.
    public func expectation(for fetch: FetchWork) -> FetchExpectation {
        FetchExpectation(fetch, in: self)
    }
}

// MARK: - Records

extension ExpectedStore {
    /// The record with an ordinal as it is now, or nil when there is none.
    func record(_ ordinal: Int) -> [FieldValue]? {
        guard let birth = births.first(where: { $0.ordinals.contains(ordinal) }) else { return nil }
        var record = generator.entity.attributes.indices.map { generator.value($0, ordinal) }
        return live(&record, ordinal, since: birth.step) ? record : nil
    }

    /// The attributes of the owner with a number, and the number. No phase changes owners.
    func owner(_ number: Int) -> [FieldValue] {
        guard let owners = generator.owners else { return [] }
        return owners.entity.attributes.indices.map { owners.value($0, number - 1) } + [.int64(Int64(number))]
    }

    /// Every record that matches, as it is now; the array is reused from one to the next.
    func forEachRecord(matching filter: RecordFilter? = nil, _ body: ([FieldValue]) -> Void) {
        let attributes = generator.entity.attributes.indices
        var record = attributes.map { _ in FieldValue.null }
        for birth in births {
            for ordinal in birth.ordinals {
                for attribute in attributes { record[attribute] = generator.value(attribute, ordinal) }
                guard live(&record, ordinal, since: birth.step) else { continue }
                if filter?.matches({ record[$0] }) ?? true { body(record) }
            }
        }
    }

    /// Takes a record through the steps since it was inserted; false once it is deleted.
    private func live(_ record: inout [FieldValue], _ ordinal: Int, since step: Int) -> Bool {
        for step in steps[step...] where !step.apply(to: &record, ordinal) { return false }
        return true
    }
}

extension RecordDigester {
    /// Feeds a whole record.
    mutating func addRecord(_ record: [FieldValue]) {
        for value in record { add(value) }
        endRecord()
    }
}

/// Remembers a digest. Copies of a store share it until one of them changes and takes a new one.
private final class DigestCache: @unchecked Sendable {
    // Unchecked because the compiler cannot see that `digest` is only touched under the lock.
    private let lock = NSLock()
    private var digest: RecordDigest?

    func digest(_ make: () -> RecordDigest) -> RecordDigest {
        lock.withLock {
            if let digest { return digest }
            let made = make()
            digest = made
            return made
        }
    }
}
