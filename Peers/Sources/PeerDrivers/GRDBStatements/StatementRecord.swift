import BenchHarness
import DriverSupport
import GRDB

/// A record whose columns are read and written by number.
protocol StatementRecord: PeerRecord {
    var version: Int64 { get set }

    /// The parameters of ``RecordTable/insertion``: the key and the attributes of a new row.
    static func insertArguments(_ ordinal: Int, of records: RecordGenerator) -> StatementArguments
    /// Makes a change in the struct alone.
    mutating func apply(_ change: RecordChange) throws
    /// The value of an attribute.
    func value(_ attribute: Int) -> (any DatabaseValueConvertible)?
}
