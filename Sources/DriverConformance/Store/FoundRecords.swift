import BenchHarness

/// The records that a driver feeds to a digester: their hashes, in order.
struct FoundRecords {
    let hashes: [UInt64]

    var count: Int { hashes.count }

    /// - Parameter feed: Feeds every record to the digester.
    init(_ feed: (inout RecordDigester) throws -> Void) rethrows {
        var digester = RecordDigester(sort: [], entity: .item, keepingHashes: true)
        try feed(&digester)
        hashes = digester.hashes ?? []
    }
}
