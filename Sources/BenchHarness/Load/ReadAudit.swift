/// Judges what the operations of a load read: each record must have had the version and the values that a read found,
/// at some moment of the read.
///
/// A driver that remembers records, makes them up or reads nothing is found here; nothing else looks at the reads of a
/// load.
struct ReadAudit {
    private let traces: [LoadTrace]
    private let records: InitialRecords
    private let identity: RecordIdentity
    private let seeded: Int
    private let policy: ConflictPolicy
    private let needsVersions: Bool
    private let repeating: Set<Int>
    private let matcher: ReadMatcher
    private let histories: [Int: RecordHistory]
    private let insertions: [Int: LoadTrace.Span]
    private let deletions: [Int: LoadTrace.Span]
    /// The ordinals of the records that workers inserted, in order. Those of several shards lie far apart.
    private let insertedOrdinals: [Int]
    private var findings = Findings()

    /// - Parameters:
    ///   - salt: The salt of the checksums.
    ///   - needsVersions: Whether every read must hand over a version.
    init(
        _ traces: [LoadTrace], of records: InitialRecords, identity: RecordIdentity, seeded: Int,
        policy: ConflictPolicy, salt: UInt64, needsVersions: Bool
    ) {
        // All workers keep the same records from here on.
        let traces = traces.map { trace in
            var trace = trace
            trace.prune()
            return trace
        }
        self.traces = traces
        self.records = records
        self.identity = identity
        self.seeded = seeded
        self.policy = policy
        self.needsVersions = needsVersions
        let repeating = records.entity.repeatingAttributes
        self.repeating = repeating
        matcher = ReadMatcher(records, salt: salt)
        histories = Dictionary(grouping: traces.flatMap(\.changes), by: \.ordinal).mapValues {
            RecordHistory($0, repeating: repeating, policy: policy)
        }
        insertions = traces.flatMap(\.insertions).byOrdinal
        deletions = traces.flatMap(\.deletions).byOrdinal
        insertedOrdinals = insertions.keys.filter { $0 >= seeded }.sorted()
    }

    /// Returns the problems; empty if there are none.
    mutating func problems() -> [String] {
        for trace in traces {
            for problem in trace.miscounts { findings.report(problem) }
            for miss in trace.misses { check(miss) }
            for read in trace.reads { check(read) }
            for scan in trace.scans { check(scan) }
        }
        checkLostUpdates()
        return findings.inWords
    }
}

// MARK: - One read

extension ReadAudit {
    private mutating func check(_ miss: LoadTrace.Miss) {
        let operation = miss.operation
        let used = operation.reads + operation.changes + operation.deletes
        if used.contains(where: { mayBeMissing($0, in: miss.span) }) { return }
        findings.report(
            "a \(operation.kind.words) reported record \(used.first.map(String.init) ?? "") as missing, although it was there"
        )
    }

    private mutating func check(_ read: LoadTrace.Read) {
        if let problem = problem(with: read) { findings.report(problem) }
    }

    /// Returns what is wrong with a read, in words.
    private func problem(with read: LoadTrace.Read) -> String? {
        let (ordinal, span) = (read.ordinal, read.span)
        if let deletion = deletions[ordinal], deletion.isAcknowledged, deletion.end < span.start {
            return "a read found record \(ordinal), although its deletion was acknowledged before"
        }
        guard let found = read.record.version.map({ Int($0) }) else {
            if needsVersions {
                return "a read handed over no version of record \(ordinal); the inspector counts versions"
            }
            return matches(read, version: nil) ? nil : valuesProblem(read)
        }
        let versions = history(ordinal).versions(in: span, own: read.ownRevision)
        if found < versions.lowerBound {
            return
                "a read found version \(found) of record \(ordinal); version \(versions.lowerBound) was acknowledged before"
        }
        if found > versions.upperBound {
            return
                "a read found version \(found) of record \(ordinal), which has had no more than \(versions.upperBound)"
        }
        return matches(read, version: found) ? nil : valuesProblem(read)
    }

    private func valuesProblem(_ read: LoadTrace.Read) -> String {
        // Of all the time until the end of the read.
        var any = read
        any.span.start = .min
        if matches(any, version: nil) {
            return "a read found values of record \(read.ordinal) that belong to another version"
        }
        return "a read found values that record \(read.ordinal) never had"
    }

    private func matches(_ read: LoadTrace.Read, version: Int?) -> Bool {
        let history = history(read.ordinal)
        let revisions = records.entity.attributes.indices.map {
            history.revisions(of: $0, in: read.span, version: version, own: read.ownRevision)
        }
        return matcher.matches(read.record.checksum, read.ordinal, revisions)
    }

    private func history(_ ordinal: Int) -> RecordHistory { histories[ordinal] ?? Self.unchanged }
    private static let unchanged = RecordHistory()

    /// Whether a record may not have been in the store at some moment of an interval.
    private func mayBeMissing(_ ordinal: Int, in span: LoadTrace.Span) -> Bool {
        if let deletion = deletions[ordinal], deletion.start <= span.end { return true }
        if ordinal < seeded { return false }
        guard let insertion = insertions[ordinal], insertion.isAcknowledged else { return true }
        return insertion.end >= span.start
    }
}

// MARK: - Several reads

extension ReadAudit {
    /// Checks a scan that may have met records which came or went: each record that it found must be the next one that
    /// is like it, and those in between may have been missing.
    private mutating func check(_ scan: LoadTrace.Scan) {
        var ordinal: Int? = scan.range.lowerBound
        for record in scan.records {
            while let next = ordinal, !isLike(record, next, scan.span) {
                guard mayBeMissing(next, in: scan.span) else {
                    return findings.report(
                        "a scan from record \(scan.range.lowerBound) found something else in place of record \(next)")
                }
                ordinal = following(next)
            }
            guard let found = ordinal else {
                return findings.report(
                    "a scan from record \(scan.range.lowerBound) found a record that comes after none of those before it"
                )
            }
            ordinal = following(found)
        }
        guard scan.records.count < scan.range.count else { return }
        while let next = ordinal {
            guard mayBeMissing(next, in: scan.span) else {
                return findings.report("a scan from record \(scan.range.lowerBound) ended before record \(next)")
            }
            ordinal = following(next)
        }
    }

    /// Returns the ordinal of the next record in the order of the keys, among those that were ever inserted; nil after
    /// the last one.
    private func following(_ ordinal: Int) -> Int? {
        if identity.isAscending {
            if ordinal + 1 < seeded { return ordinal + 1 }
            let position = insertedOrdinals.partitioningIndex { $0 > ordinal }
            return position < insertedOrdinals.count ? insertedOrdinals[position] : nil
        }
        if ordinal <= seeded { return ordinal > 0 ? ordinal - 1 : nil }
        let position = insertedOrdinals.partitioningIndex { $0 >= ordinal }
        if position > 0 { return insertedOrdinals[position - 1] }
        return seeded > 0 ? seeded - 1 : nil
    }

    private func isLike(_ record: ReadRecord, _ ordinal: Int, _ span: LoadTrace.Span) -> Bool {
        if ordinal >= seeded, insertions[ordinal].map({ $0.start > span.end }) ?? true { return false }
        return problem(with: LoadTrace.Read(ordinal: ordinal, record: record, span: span)) == nil
    }

    /// Finds acknowledged operations that read the same version of a record and then changed it: one of them wrote over
    /// the change of the other without having seen it.
    private mutating func checkLostUpdates() {
        guard policy == .error else { return }
        var changed: Set<[Int]> = []
        for read in traces.lazy.flatMap(\.reads) {
            guard let own = read.ownRevision, let version = read.record.version,
                history(read.ordinal).changesForCertain(own, repeating: repeating)
            else { continue }
            if !changed.insert([read.ordinal, Int(version)]).inserted {
                findings.report(
                    "two operations read version \(version) of record \(read.ordinal) and changed it: an update was lost"
                )
            }
        }
    }
}

extension [Int] {
    /// Returns the index of the first element that meets a condition, which all after it meet, too.
    fileprivate func partitioningIndex(_ meets: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if meets(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension [LoadTrace.Passage] {
    /// The spans by ordinal; an ordinal is inserted once, and deleted once.
    fileprivate var byOrdinal: [Int: LoadTrace.Span] {
        reduce(into: [:]) { spans, passage in
            for ordinal in passage.ordinals { spans[ordinal] = passage.span }
        }
    }
}
