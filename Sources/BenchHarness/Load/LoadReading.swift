/// Takes the records that an operation of a load reads.
///
/// A worker feeds the values of a record to ``values``, in the order of the entity's attributes, and ends it with
/// ``endRecord(version:)``. Within the time of the operation, that costs a few nanoseconds a value, because the values
/// are only folded into a salted checksum. The harness judges it after the load, by the versions and values that the
/// record may have had while the operation ran.
public struct LoadReading: Sendable {
    /// Takes the values of the current record.
    public var values: RecordDigester
    /// The records so far.
    private(set) var records: [ReadRecord] = []
    private let start: ReadChecksum

    /// Creates a reading that nothing judges: for workers that do operations of their own.
    public init() { self.init(salt: 0) }

    /// Creates a reading whose checksums depend on a salt.
    init(salt: UInt64) {
        values = RecordDigester(readingWith: salt)
        values.readsOwnerNumbers = true
        start = values.checksum
    }

    /// Ends a record.
    ///
    /// - Parameter version: 1 after the insertion, plus 1 for each save that changed the record; nil for a store
    ///   without versions.
    public mutating func endRecord(version: Int?) {
        records.append(
            ReadRecord(checksum: values.checksum.sum, version: version.map { Int32(truncatingIfNeeded: $0) }))
        values.checksum = start
    }

    /// Forgets the records, before another operation or another attempt.
    mutating func reset() {
        records.removeAll(keepingCapacity: true)
        values.checksum = start
    }
}

/// A record as an operation of a load has read it.
struct ReadRecord: Sendable, Equatable {
    /// The salted checksum of the values.
    var checksum: UInt64
    var version: Int32?
}
