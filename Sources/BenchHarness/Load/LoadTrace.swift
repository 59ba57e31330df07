/// What the operations of one worker read, and what they did to the records, so that every read can be judged when the
/// load is over.
///
/// It belongs to its worker until then. If there is too much to keep, it keeps the records of a sample.
struct LoadTrace: Sendable {
    /// The time of an operation, in nanoseconds.
    struct Span: Sendable, Equatable {
        var start: Int
        var end: Int
        /// Whether the store acknowledged the operation; if not, it is unknown whether it was done.
        var isAcknowledged = true
    }

    /// One record that was read.
    struct Read: Sendable {
        var ordinal: Int
        var record: ReadRecord
        var span: Span
        /// The revision that the same operation gave the record afterwards.
        var ownRevision: UInt64?
    }

    /// A change of one record to several attributes.
    struct Change: Sendable {
        var ordinal: Int
        var attributes: [Int]
        var revision: UInt64
        var span: Span
    }

    /// A scan that may have met records which came or went meanwhile.
    struct Scan: Sendable {
        var range: Range<Int>
        var records: [ReadRecord]
        var span: Span
    }

    /// An operation that reported a record as missing.
    struct Miss: Sendable {
        var operation: LoadOperation
        var span: Span
    }

    /// An insertion or a deletion.
    struct Passage: Sendable {
        var ordinals: Range<Int>
        var span: Span
    }

    private(set) var reads: [Read] = []
    private(set) var changes: [Change] = []
    private(set) var scans: [Scan] = []
    private(set) var misses: [Miss] = []
    private(set) var insertions: [Passage] = []
    private(set) var deletions: [Passage] = []
    /// The operations that handed over another number of records than they read, in words.
    private(set) var miscounts: [String] = []

    private let seeded: Int
    private let isAscending: Bool
    private var sampling: TraceSampling
    private var mask: UInt64
    private var scannedRecords = 0

    /// - Parameters:
    ///   - seeded: The number of records that no worker deletes.
    ///   - isAscending: Whether later records have larger keys.
    init(seeded: Int, isAscending: Bool, sampling: TraceSampling) {
        self.seeded = seeded
        self.isAscending = isAscending
        self.sampling = sampling
        mask = sampling.mask
    }

    /// The heap that the trace takes.
    var heapBytes: Int {
        reads.capacity * MemoryLayout<Read>.stride + changes.capacity * (MemoryLayout<Change>.stride + 48)
            + scannedRecords * MemoryLayout<ReadRecord>.stride + scans.capacity * MemoryLayout<Scan>.stride
            + misses.capacity * MemoryLayout<Miss>.stride
            + (insertions.capacity + deletions.capacity) * MemoryLayout<Passage>.stride
    }

    /// Notes an operation and what it has read; `outcome` is nil if it is unknown whether the operation was done.
    mutating func note(
        _ operation: LoadOperation, _ records: [ReadRecord], start: Int, end: Int, outcome: LoadOutcome?
    ) {
        let span = Span(start: start, end: end, isAcknowledged: outcome == .done)
        if outcome == .missing { return noteMiss(operation, span) }
        noteWrites(operation, span)
        if outcome == .done { noteReads(operation, records, span) }
        if reads.count + changes.count + scannedRecords > sampling.limit { sampling.narrow(mask) }
        if sampling.mask != mask { prune() }
    }

    /// Lets the records fall out that others do not keep any more.
    mutating func prune() {
        mask = sampling.mask
        if mask == 0 { return }
        reads.removeAll { !sampling.keeps($0.ordinal, mask) }
        changes.removeAll { !sampling.keeps($0.ordinal, mask) }
        // A scan cannot be judged without the history of each record that it meets.
        (scans, scannedRecords) = ([], 0)
    }

    private mutating func noteMiss(_ operation: LoadOperation, _ span: Span) {
        guard misses.count < sampling.limit else { return }
        var operation = operation
        (operation.inserted, operation.assigned) = ([], [])
        misses.append(Miss(operation: operation, span: span))
    }

    private mutating func noteWrites(_ operation: LoadOperation, _ span: Span) {
        if !operation.inserts.isEmpty { insertions.append(Passage(ordinals: operation.inserts, span: span)) }
        if !operation.deletes.isEmpty { deletions.append(Passage(ordinals: operation.deletes, span: span)) }
        guard case .attributes(let attributes, let revision) = operation.change else { return }
        for ordinal in operation.changes where sampling.keeps(ordinal, mask) {
            changes.append(Change(ordinal: ordinal, attributes: attributes, revision: revision, span: span))
        }
    }

    private mutating func noteReads(_ operation: LoadOperation, _ records: [ReadRecord], _ span: Span) {
        let most = operation.reads.count + (operation.scan?.count ?? 0)
        guard records.count >= operation.reads.count, records.count <= most else {
            return miscount(operation, records.count, expected: operation.reads.count)
        }
        for (ordinal, record) in zip(operation.reads, records) { keep(ordinal, record, span, of: operation) }
        if let scan = operation.scan { note(scan, records[operation.reads.count...], span, of: operation) }
    }

    /// Notes a scan. No worker deletes records of the seeded part, so that the place of each record is known.
    private mutating func note(
        _ scan: Range<Int>, _ records: ArraySlice<ReadRecord>, _ span: Span, of operation: LoadOperation
    ) {
        let ordinals = scan.inOrderOfKeys(isAscending: isAscending)
        if ordinals.allSatisfy({ $0 < seeded }) {
            guard records.count == ordinals.count else {
                return miscount(operation, records.count, expected: ordinals.count)
            }
            for (ordinal, record) in zip(ordinals, records) { keep(ordinal, record, span, of: operation) }
        } else if mask == 0 {
            scans.append(Scan(range: scan, records: Array(records), span: span))
            scannedRecords += records.count
        }
    }

    private mutating func keep(_ ordinal: Int, _ record: ReadRecord, _ span: Span, of operation: LoadOperation) {
        guard sampling.keeps(ordinal, mask) else { return }
        reads.append(Read(ordinal: ordinal, record: record, span: span, ownRevision: operation.revision(of: ordinal)))
    }

    private mutating func miscount(_ operation: LoadOperation, _ count: Int, expected: Int) {
        miscounts.append("a \(operation.kind.words) handed over \(count) records; expected \(expected)")
    }
}

/// A trace of another process; ``adopt(_:)`` tells it what all keep.
extension LoadTrace: Packable {
    func pack(into bytes: inout PackedBytes) {
        bytes.append(seeded)
        bytes.append(isAscending ? UInt8(1) : 0)
        reads.pack(into: &bytes)
        changes.pack(into: &bytes)
        scans.pack(into: &bytes)
        misses.pack(into: &bytes)
        insertions.pack(into: &bytes)
        deletions.pack(into: &bytes)
        miscounts.pack(into: &bytes)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        let (seeded, isAscending) = (try bytes.integer(), try bytes.flags() != 0)
        self.init(seeded: seeded, isAscending: isAscending, sampling: TraceSampling())
        reads = try [Read](from: &bytes)
        changes = try [Change](from: &bytes)
        scans = try [Scan](from: &bytes)
        misses = try [Miss](from: &bytes)
        insertions = try [Passage](from: &bytes)
        deletions = try [Passage](from: &bytes)
        miscounts = try [String](from: &bytes)
    }

    /// Keeps the records that all processes keep.
    mutating func adopt(_ sampling: TraceSampling) {
        self.sampling = sampling
        prune()
    }

    /// Returns the trace with other times.
    func shifted(_ shift: ClockShift) -> LoadTrace {
        var shifted = self
        for index in reads.indices { shifted.reads[index].span = reads[index].span.shifted(shift) }
        for index in changes.indices { shifted.changes[index].span = changes[index].span.shifted(shift) }
        for index in scans.indices { shifted.scans[index].span = scans[index].span.shifted(shift) }
        for index in misses.indices { shifted.misses[index].span = misses[index].span.shifted(shift) }
        for index in insertions.indices { shifted.insertions[index].span = insertions[index].span.shifted(shift) }
        for index in deletions.indices { shifted.deletions[index].span = deletions[index].span.shifted(shift) }
        return shifted
    }
}

extension Range<Int> {
    /// Returns the ordinals that a scan of this range meets if each record exists: from the first one's key on.
    fileprivate func inOrderOfKeys(isAscending: Bool) -> [Int] {
        isAscending ? Array(self) : stride(from: lowerBound, to: Swift.max(lowerBound - count, -1), by: -1).map { $0 }
    }
}

extension LoadOperation {
    /// Returns the revision that the operation gives a record; nil if it does not change it.
    fileprivate func revision(of ordinal: Int) -> UInt64? {
        guard changes.contains(ordinal), case .attributes(_, let revision) = change else { return nil }
        return revision
    }
}

extension OperationKind {
    /// The kind in words, for messages.
    var words: String { rawValue.replacing("_", with: " ") }
}
