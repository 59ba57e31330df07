import BenchHarness

/// What the store would hold, made when they are read.
struct KnownRecords {
    /// What happened to the records since they were seeded.
    enum Step {
        case update([AttributeChange])
        case merge(MergePlan)
        case load(LoadOperation)
    }

    let entity: EntitySpec
    let generator: RecordGenerator
    var seeded = 0
    var steps: [Step] = []

    /// Every record by its ordinal, after all steps.
    func all() -> [Int: StoredRecord] {
        var records = Dictionary(uniqueKeysWithValues: (0..<seeded).map { ($0, fresh($0)) })
        for step in steps { apply(step, to: &records) }
        return records
    }

    /// Reads what an operation reads, and does what it writes. Later records have larger keys.
    func perform(_ operation: LoadOperation, on content: inout [Int: StoredRecord]?, reading: inout LoadReading) {
        guard var records = content.take() else { return }
        reading.add(operation.reads.compactMap { records[$0] })
        if let scan = operation.scan {
            let ordinals = records.keys.filter { $0 >= scan.lowerBound }.sorted().prefix(scan.count)
            reading.add(ordinals.compactMap { records[$0] })
        }
        apply(operation, to: &records)
        content = records
    }

    private func fresh(_ ordinal: Int) -> StoredRecord {
        StoredRecord(values: entity.attributes.indices.map { generator.value($0, ordinal) }, version: 1)
    }

    private func apply(_ step: Step, to records: inout [Int: StoredRecord]) {
        switch step {
        case .update(let changes):
            for ordinal in records.keys { change(&records[ordinal], ordinal, changes) }
        case .merge(let plan):
            for save in plan.writers.joined() {
                for ordinal in save.changes { change(&records[ordinal], ordinal, plan.set) }
                for ordinal in save.inserts { records[ordinal] = fresh(ordinal) }
                for ordinal in save.deletes { records[ordinal] = nil }
            }
        case .load(let operation): apply(operation, to: &records)
        }
    }

    private func apply(_ operation: LoadOperation, to records: inout [Int: StoredRecord]) {
        for ordinal in operation.changes {
            switch operation.change {
            case .set(let changes): change(&records[ordinal], ordinal, changes)
            case .attributes(let attributes, let revision):
                for attribute in attributes {
                    records[ordinal]?.values[attribute] = generator.value(attribute, ordinal, revision: revision)
                }
                records[ordinal]?.version? += 1
            }
        }
        for ordinal in operation.inserts { records[ordinal] = fresh(ordinal) }
        for ordinal in operation.deletes { records[ordinal] = nil }
    }

    private func change(_ record: inout StoredRecord?, _ ordinal: Int, _ changes: [AttributeChange]) {
        for change in changes {
            guard let attribute = entity.index(of: change.attribute), let value = record?.values[attribute] else {
                continue
            }
            record?.values[attribute] = value.after(change.operation, ordinal: ordinal)
        }
        record?.version? += 1
    }
}

extension LoadReading {
    fileprivate mutating func add(_ records: [StoredRecord]) {
        for record in records {
            for value in record.values { values.add(value) }
            endRecord(version: record.version)
        }
    }
}

/// Records that are at hand before the clock runs.
struct KnownResult: FetchedRecords {
    let records: [StoredRecord]

    var count: Int { records.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) { digester.add(records[positions]) }
}

extension RecordDigester {
    mutating func add(_ records: some Sequence<StoredRecord>) {
        for record in records {
            for value in record.values { add(value) }
            endRecord()
        }
    }
}
