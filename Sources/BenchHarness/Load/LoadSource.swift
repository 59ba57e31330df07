/// Makes the operations of one worker: a pure function of the scenario's seed, the worker, and the outcomes of earlier
/// operations.
struct LoadSource {
    /// The number among the workers of all shards, and how many these are.
    private let worker: Int
    private let workers: Int
    private let work: LoadWork
    /// Makes the values that operations write.
    private let generator: RecordGenerator
    private let sequence: InsertSequence
    private let seeded: Int
    /// The attributes to which updates can give new values, by the kind of a record.
    private let changeable: [Int64: [Int]]
    private var random: SplitMix64
    private var chooser: KeyChooser
    private let mix: OperationMix?
    private var revision: UInt64
    /// The records that the worker has inserted and not deleted.
    private var owned: [Range<Int>] = []
    /// The ordinals of inserts that were dropped.
    private var spare: [Range<Int>] = []

    /// - Parameters:
    ///   - worker: The number of the worker in this process.
    ///   - work: The work of the whole load.
    init(
        worker: Int, work: LoadWork, generator: RecordGenerator, records: Int, sequence: InsertSequence, seed: UInt64,
        lane: LoadLane = LoadLane(), shard: Shard = .whole
    ) {
        self.worker = shard.number(ofWorker: worker, of: work.workers)
        workers = shard.count * work.workers
        self.work = work
        self.generator = generator
        self.sequence = sequence
        seeded = records
        changeable = generator.entity.changeableAttributes
        random = SplitMix64(state: seed ^ (lane.writer(worker) + 1) &* 0x9E37_79B9_7F4A_7C15)
        revision = lane.revisions(of: worker)
        switch work.source {
        case .mix(let spec):
            mix = OperationMix(spec.operations)
            chooser = KeyChooser(spec.keys, records: records, expected: records + work.expectedInserts)
        case .saves:
            mix = nil
            chooser = KeyChooser(.uniform, records: records, expected: records)
        }
    }

    /// Returns the next operation, with the values that it writes.
    mutating func next() -> LoadOperation {
        revision += 1
        var operation =
            switch work.source {
            case .mix(let spec): single(spec)
            case .saves(let spec): save(spec)
            }
        operation.makeValues(with: generator)
        return operation
    }

    /// Notes the outcome of an operation: later operations can use and delete the records that it inserted.
    mutating func settle(_ operation: LoadOperation, isDone: Bool) {
        guard !operation.inserts.isEmpty else { return }
        sequence.settle(operation.inserts)
        if isDone { owned.append(operation.inserts) }
    }

    /// Takes back an operation that was dropped: later ones insert and delete its records. Otherwise the records after
    /// its inserts would never count as complete.
    mutating func takeBack(_ operation: LoadOperation) {
        if !operation.inserts.isEmpty { spare.append(operation.inserts) }
        if !operation.deletes.isEmpty { owned.insert(operation.deletes, at: 0) }
    }

    /// Takes ordinals to insert. All inserts of a source have the same number of records.
    private mutating func takeNew(_ count: Int) -> Range<Int> { spare.popLast() ?? sequence.take(count) }

    // MARK: Single operations

    private mutating func single(_ spec: MixSpec) -> LoadOperation {
        guard let kind = mix?.next(using: &random) else { preconditionFailure("a load of saves has no mix") }
        var operation = LoadOperation(kind)
        switch kind {
        case .read: operation.reads = [ordinal()]
        case .update: operation.changes = [ordinal()]
        case .readModifyWrite:
            operation.reads = [ordinal()]
            operation.changes = operation.reads
        case .insert: operation.inserts = takeNew(1)
        case .scan:
            let first = ordinal()
            operation.scan = first..<(first + 1 + random.below(spec.scanLengthMax))
        case .delete:
            // A worker deletes only its own records, so that each knows which exist. If it has none, it inserts one
            // instead.
            guard let deletes = takeOwned(1) else {
                operation.kind = .insert
                operation.inserts = takeNew(1)
                return operation
            }
            operation.deletes = deletes
        case .save: preconditionFailure("a mix has no saves; the reader refuses them")
        }
        if let changed = operation.changes.first {
            operation.change = .attributes(fields(spec, of: changed), revision: revision)
        }
        return operation
    }

    private mutating func ordinal() -> Int {
        sequence.ordinal(at: chooser.next(among: sequence.count, using: &random))
    }

    /// Draws the attributes to change in a record.
    private mutating func fields(_ spec: MixSpec, of ordinal: Int) -> [Int] {
        let changeable = changeable[generator.kind(ordinal), default: []]
        guard spec.fieldsPerUpdate > 0, spec.fieldsPerUpdate < changeable.count else { return changeable }
        return Array(changeable.shuffled(using: &random).prefix(spec.fieldsPerUpdate)).sorted()
    }

    // MARK: Saves

    private mutating func save(_ spec: SaveSpec) -> LoadOperation {
        var operation = LoadOperation(.save)
        if spec.insertsPerSave > 0 { operation.inserts = takeNew(spec.insertsPerSave) }
        if spec.deletesPerSave > 0, let deletes = takeOwned(spec.deletesPerSave) { operation.deletes = deletes }
        var changes: Set<Int> = []
        while changes.count < spec.changesPerSave { changes.insert(changed(spec)) }
        // All workers change records in the same order, so that two saves cannot deadlock on each other's records.
        operation.changes = changes.sorted()
        operation.change = .set(spec.set)
        return operation
    }

    /// Returns a record of the hot set, or of this worker's own part of the others.
    private mutating func changed(_ spec: SaveSpec) -> Int {
        let hot = min(spec.hotRecords, seeded)
        let part = (seeded - hot) / workers
        if part == 0 || random.unit() < spec.contention { return random.below(hot) }
        return hot + worker * part + random.below(part)
    }

    /// Returns this many neighbouring records that the worker inserted, the oldest first.
    private mutating func takeOwned(_ count: Int) -> Range<Int>? {
        guard let oldest = owned.first, oldest.count >= count else { return nil }
        let taken = oldest.lowerBound..<(oldest.lowerBound + count)
        let rest = taken.upperBound..<oldest.upperBound
        if rest.count >= count { owned[0] = rest } else { owned.removeFirst() }
        return taken
    }
}

extension LoadWork {
    /// The number of expected inserts times two, as in YCSB, so that popular records lie among all of them.
    fileprivate var expectedInserts: Int {
        guard case .mix(let spec) = source, let operations = pace.operations else { return 0 }
        let total = spec.operations.values.reduce(0, +)
        return Int(Double(operations) * 2 * spec.operations[.insert, default: 0] / total)
    }
}

extension EntitySpec {
    /// The attributes to which another draw gives another value, by the kind of a record
    /// (``RecordGenerator/kind(_:)``): each kind that records are of has its own.
    var changeableAttributes: [Int64: [Int]] {
        Dictionary(
            uniqueKeysWithValues: kindsOfRecords.map { kind in
                (kind, changeable.filter { attributes[$0].subentity.map(number(ofKind:)) ?? kind == kind })
            })
    }

    /// Those of all kinds, numbers of related records among them. A record keeps its place in an order, and its kind.
    private var changeable: [Int] {
        let ordered = zip(toOneAttributes, toOnes).filter(\.1.isOrdered).map(\.0)
        return attributes.indices.filter { index in
            if index == kindAttribute { return false }
            return switch attributes[index].generator {
            case .uniform, .random, .randomLengths, .choice, .words: !attributes[index].isUnique
            case .owner, .earlier: !ordered.contains(index)
            case .constant, .sequence, .ascending: false
            }
        }
    }
}

extension LoadOperation {
    /// Makes the values that the operation writes.
    mutating func makeValues(with generator: RecordGenerator) {
        inserted = inserts.map { ordinal in
            generator.entity.attributes.indices.map { generator.value($0, ordinal) }
        }
        guard case .attributes(let attributes, let revision) = change, !changes.isEmpty else { return }
        let revised = generator.revised(revision)
        assigned = changes.map { ordinal in attributes.map { revised.value($0, ordinal) } }
    }
}
