import Dispatch

/// The harness's own reading of the records that a phase got: within the clock, so that a result that is read only
/// later gains nothing, and again when they are verified, where it must give the same values.
package struct RecordWalk {
    /// How much of a result is read within the clock.
    package enum Extent {
        /// Nothing: the phase hands over no records.
        case nothing
        /// Some records at positions that are drawn after the preparation, each alone.
        case sample
        /// Every record, in one block on the queue.
        case everything
        /// Every record, in so short blocks that other work of the queue gets its turn.
        case slices
    }

    /// The number of records of a slice.
    static let slice = 4_096
    /// The number of records of a sample: enough to find a result that is not there, too few to cost time.
    static let sampleSize = 16

    private let extent: Extent
    private let salt: UInt64
    private var checksum: UInt64?
    private var sample: [(position: Int, hash: UInt64)] = []

    /// Draws the salt. Create a walk after the preparation of a phase.
    package init(_ extent: Extent) {
        self.extent = extent
        salt = .random(in: .min ... .max)
    }

    /// Reads the records of a result on its queue.
    package mutating func read(_ fetched: any FetchedRecords, on queue: DispatchQueue) throws {
        switch extent {
        case .nothing: break
        case .sample: try readSample(of: fetched, on: queue)
        case .everything: try read(fetched, by: .max, on: queue)
        case .slices: try read(fetched, by: Self.slice, on: queue)
        }
    }

    private mutating func read(_ fetched: any FetchedRecords, by slice: Int, on queue: DispatchQueue) throws {
        var digester = RecordDigester(readingWith: salt)
        var (start, isOver) = (0, false)
        while !isOver {
            try fetched.perform(on: queue) {
                let end = start + min(slice, fetched.count - start)
                try fetched.digest(start..<end, into: &digester)
                start = end
                isOver = end >= fetched.count
            }
        }
        checksum = digester.checksum.sum
    }

    private mutating func readSample(of fetched: any FetchedRecords, on queue: DispatchQueue) throws {
        var random = SplitMix64(state: salt)
        try fetched.perform(on: queue) {
            let count = fetched.count
            for _ in 0..<min(count, Self.sampleSize) {
                let position = Int.random(in: 0..<count, using: &random)
                var digester = RecordDigester()
                digester.keepHashes()
                try fetched.digest(position..<position + 1, into: &digester)
                sample.append((position, digester.hashes?.first ?? 0))
            }
        }
    }

    /// Prepares a digester for the second reading.
    func prepare(_ digester: inout RecordDigester) {
        digester.checksum = ReadChecksum(salt: salt)
        if !sample.isEmpty { digester.keepHashes() }
    }

    /// Returns what differs between the two readings, in words; nil if nothing does.
    ///
    /// - Parameter digester: The digester of the second reading, which ``prepare(_:)`` has prepared.
    func discrepancy(in digester: RecordDigester) -> String? {
        if let checksum, checksum != digester.checksum.sum {
            return "the records read within the clock are not those handed over"
        }
        let hashes = digester.hashes ?? []
        let wrong = sample.first { $0.position >= hashes.count || hashes[$0.position] != $0.hash }
        return wrong.map { "record \($0.position), read within the clock, is not the one handed over" }
    }
}
