import Dispatch

extension GetWork: PhaseWork {
    var capabilities: [Capability] { [.getting] }
    var changesStore: Bool { false }
    var usesKeys: Bool { true }
    var estimatedSeconds: Double { Double(count) * Self.secondsOfAnOperation }

    func scaled(_ scale: Scaling) -> Self {
        var work = self
        work.count = scale.count(count)
        return work
    }

    func cut(to operations: Int) -> (work: any PhaseWork, operations: Int)? {
        var work = self
        work.count = min(count, operations)
        return (work, work.count)
    }

    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout ReportDraft
    ) throws -> [String] {
        let drawn = DrawnGets(work: self, ordinals: ordinals(in: expected, seed: setting.operationSeed ?? seed))
        return try drawn.run(session, in: setting, expected: &expected, report: &report)
    }

    /// Draws from the records that were ever inserted: one that was deleted since must not be found. Among them is one
    /// with values that no driver has seen, which has to be read.
    private func ordinals(in expected: ExpectedStore, seed: UInt64) -> [Int] {
        let inserted = expected.inserted
        let total = inserted.map(\.count).reduce(0, +)
        guard total > 0 else { return [] }
        var random = SplitMix64(state: seed)
        var drawn = (0..<count).map { _ in
            var place = Int.random(in: 0..<total, using: &random)
            for range in inserted {
                if place < range.count { return range.lowerBound + place }
                place -= range.count
            }
            return 0
        }
        if let place = drawn.indices.randomElement(using: &random),
            let planted = expected.planted.keys.sorted().randomElement(using: &random)
        {
            drawn[place] = planted
        }
        return drawn
    }
}

/// The work with the records that it draws.
private struct DrawnGets {
    let work: GetWork
    let ordinals: [Int]
}

/// What was read of the records, get by get.
private final class GetReading {
    var digester = RecordDigester()
    /// The number of records after each get.
    var counts: [Int] = []

    init() { digester.keepHashes() }
}

extension DrawnGets: SingleWork {
    func queue(of session: any GettingSession) -> DispatchQueue { session.queue }

    func prepare(_ session: any GettingSession, _ scenario: Scenario) throws -> GetReading {
        try session.prepareGets(ordinals)
        return GetReading()
    }

    func perform(
        _ session: any GettingSession, _ reading: GetReading, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        let queue = session.queue
        for ordinal in ordinals {
            try monitor.operation {
                let found = try session.get(ordinal)
                try found.perform(on: queue) { try found.digest(into: &reading.digester) }
            }
            reading.counts.append(reading.digester.digest.count)
        }
        return nil
    }

    func apply(to expected: inout ExpectedStore, _ reading: GetReading, _ scenario: Scenario) -> Int? {
        ordinals.count
    }

    func problems(_ outcome: PhaseOutcome, _ reading: GetReading) throws -> [String] {
        let hashes = reading.digester.hashes ?? []
        var start = 0
        for (place, (ordinal, end)) in zip(ordinals, reading.counts).enumerated() {
            let found = Array(hashes[start..<end])
            let wanted = outcome.expected.record(ordinal).map { [RecordDigester.hash(of: $0)] } ?? []
            guard found == wanted else {
                return [
                    found.count == wanted.count
                        ? "get \(place + 1) did not return record \(ordinal) with the expected values"
                        : "get \(place + 1) found \(found.count) records with the key of record \(ordinal); expected "
                            + "\(wanted.count)"
                ]
            }
            start = end
        }
        return []
    }
}

extension RecordDigester {
    /// Returns the hash of a whole record.
    fileprivate static func hash(of record: [FieldValue]) -> UInt64 {
        var digester = RecordDigester()
        digester.keepHashes()
        digester.addRecord(record)
        return digester.hashes?.first ?? 0
    }
}
