/// Condenses the content of a store, one record after another.
public struct StoreScan: Sendable {
    /// Takes the values of the current record, in the order of the entity's attributes. End the record with
    /// ``endRecord(version:)`` or ``endOwner()``.
    public var values = RecordDigester()
    private(set) var versions = VersionSum()
    /// The number of records that came without a version.
    private(set) var unversioned = 0

    /// Creates an empty scan.
    public init() {}

    /// Ends a record.
    ///
    /// - Parameter version: 1 after the insertion, plus 1 for each save that changed the record; nil for a store
    ///   without versions.
    public mutating func endRecord(version: Int?) {
        if let version { versions.add(version, of: values) } else { unversioned += 1 }
        values.endRecord()
    }

    /// Ends what has no version of its own: a record of another entity, a pair, or an order.
    public mutating func endOwner() { values.endRecord() }
}

/// A sum over records and their versions: equal records with equal versions, in any order, give equal sums.
struct VersionSum: Sendable, Hashable, Codable {
    private var sum: UInt64 = 0

    /// Adds the version of the record that `record` has been fed, before its end.
    mutating func add(_ version: Int, of record: RecordDigester) {
        sum &+= RecordDigest.summand(record.hash(withVersion: version))
    }
}
