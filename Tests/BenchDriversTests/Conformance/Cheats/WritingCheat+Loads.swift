import BenchDrivers
import BenchHarness
import ForwardingDriver
import Locking

extension WritingCheat {
    /// Drivers that take a shortcut in a load.
    static let loaded = unread + remembered + blind

    /// Reads that do not read what they should.
    private static let unread = [
        load("reads nothing in a load", reason: "a read handed over 0 records; expected 1") {
            operation, base, reading in
            operation.kind == .read ? .done : try base.perform(operation, reading: &reading)
        },
        // Nothing changes there: the report shows the first few of all reads, which may all have wrong versions.
        load("reads no values in a load", in: .reads, reason: "a read found values that record") {
            operation, base, reading in
            guard operation.kind == .read else { return try base.perform(operation, reading: &reading) }
            reading.endRecord(version: 1)
            return .done
        },
        load("reads no versions in a load", reason: "a read handed over no version of record") {
            operation, base, reading in
            guard operation.kind == .read else { return try base.perform(operation, reading: &reading) }
            reading.endRecord(version: nil)
            return .done
        },
        // By its values or by its version: the report shows the first few of all reads.
        load("reads another record in a load", reason: "a read found") { operation, base, reading in
            var operation = operation
            if operation.kind == .read { operation.reads = operation.reads.map { $0 ^ 1 } }
            return try base.perform(operation, reading: &reading)
        },
        load("finds no records in a load", reason: "as missing, although it was there") { operation, base, reading in
            operation.kind == .read ? .missing : try base.perform(operation, reading: &reading)
        },
        load("saves nothing in a load", in: .counted, reason: "a save reported record") { _, _, _ in .missing },
        load("scans half of the records", reason: "a scan handed over") { operation, base, reading in
            var operation = operation
            if let scan = operation.scan { operation.scan = scan.prefix((scan.count + 1) / 2) }
            return try base.perform(operation, reading: &reading)
        },
    ]

    /// Reads that are answered without the store.
    private static let remembered: [WritingCheat] = {
        var madeUp = WritingCheat(
            "makes up what a load reads", in: .reads, phase: "load", reason: "a read found values that record"
        ) { base, configuration in
            LoadCheating(base) { operation, _, reading in
                for ordinal in operation.reads { reading.make(ordinal, of: configuration.records, version: 1) }
                return .done
            }
        }
        madeUp.isPlanted = true
        return [
            madeUp,
            WritingCheat(
                "remembers what a load read", in: .mixed, phase: "load", reason: " was acknowledged before"
            ) { base, configuration in
                LoadCheating(base) { operation, base, reading in
                    guard operation.kind == .read else { return try base.perform(operation, reading: &reading) }
                    for ordinal in operation.reads { reading.make(ordinal, of: configuration.records, version: 1) }
                    return .done
                }
            },
            WritingCheat(
                "remembers the values of a record, but not its version", in: .mixed, phase: "load",
                reason: " that belong to another version"
            ) { base, configuration in
                let versions = Locked<[Int: Int]>([:])
                return LoadCheating(base) { operation, base, reading in
                    try versions.withLock { versions in
                        guard operation.kind == .read else {
                            let outcome = try base.perform(operation, reading: &reading)
                            if outcome == .done {
                                for ordinal in operation.changes { versions[ordinal, default: 1] += 1 }
                            }
                            return outcome
                        }
                        for ordinal in operation.reads {
                            reading.make(ordinal, of: configuration.records, version: versions[ordinal, default: 1])
                        }
                        return .done
                    }
                }
            },
        ]
    }()

    /// Saves that count versions without looking at them.
    private static let blind = [
        WritingCheat(
            "writes over what others wrote since it read", in: .modified, phase: "load",
            reason: "and changed it: an update was lost"
        ) { base, _ in
            let writer = BlindWriter()
            return LoadCheating(base) { try writer.readModifyWrite($0, $1, &$2) }
        },
        WritingCheat(
            "saves over what others saved since it read", in: .counted, phase: "load",
            reason: "edits of record 0 is not the value written last"
        ) { base, _ in
            let writer = BlindWriter()
            guard let session = base as? any LoadingSession else { preconditionFailure("\(base) does no loads") }
            return LoadCheating(base) { operation, worker, _ in
                try writer.save(operation, worker) { try session.edits(of: $0) }
            }
        },
    ]

    private static func load(
        _ name: String, in scenario: Scenario = .mixed, reason: String,
        _ cheat:
            @escaping @Sendable (
                LoadOperation, any LoadWorker, inout LoadReading
            ) throws -> LoadOutcome
    ) -> WritingCheat {
        WritingCheat(name, in: scenario, phase: "load", reason: reason) { base, _ in LoadCheating(base, cheat) }
    }
}

extension LoadingSession {
    /// Returns the value of the counter of a record.
    fileprivate func edits(of ordinal: Int) throws -> Int64 {
        var edits: Int64?
        try forEachRecord { record in
            if record.values[0] == .int64(Int64(ordinal)), case .int64(let value) = record.values[3] { edits = value }
        }
        guard let edits else { preconditionFailure("record \(ordinal) is gone") }
        return edits
    }
}

extension Scenario {
    private static let edited = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
            AttributeSpec(name: "name", type: .string, generator: .random(length: 12)),
            AttributeSpec(name: "place", type: .double, generator: .uniform(min: 0, max: 1)),
            AttributeSpec(name: "edits", type: .int64, generator: .constant(.int64(0))),
        ])

    private static func load(_ name: String, _ source: LoadWork.Source, operations: Int) -> Scenario {
        let work = LoadWork(source: source, workers: 2, pace: PaceSpec(operations: operations))
        return Scenario(
            name: name, records: 100, isolation: .none, entity: edited,
            phases: [Phase(name: "load", from: .seeded, work: .load(work))])
    }

    /// Reads, updates and scans of a few popular records.
    static let mixed = load(
        "mixed",
        .mix(
            MixSpec(
                operations: [.read: 4, .update: 3, .scan: 1, .insert: 1], keys: .hotSet(records: 5, share: 0.8),
                scanLengthMax: 8)), operations: 400)

    /// Reads of records that do not change.
    static let reads = load("reads", .mix(MixSpec(operations: [.read: 1])), operations: 2_000)

    /// Two workers that read and then write the same record.
    static let modified = load(
        "modified", .mix(MixSpec(operations: [.readModifyWrite: 1], keys: .hotSet(records: 1, share: 1))),
        operations: 20)

    /// Two workers that count up the same record.
    static let counted = load(
        "counted",
        .saves(
            SaveSpec(
                mode: .unobserved, insertsPerSave: 0, changesPerSave: 1, deletesPerSave: 0,
                set: [AttributeChange(attribute: "edits", operation: .add(1))], contention: 1, hotRecords: 1)),
        operations: 20)
}
