/// The figures of one interval of a load.
public struct LoadSample: Sendable, Codable, Equatable {
    /// The end of the interval, in seconds from the start of the load.
    public var seconds = 0.0
    /// The interval's length.
    public var intervalSeconds = 0.0
    /// Operations done in the interval.
    public var operations = 0
    /// Response times in the interval, in nanoseconds; nil without operations, and if the percentile is one of those
    /// that failed or were dropped.
    public var latencyP50: Int?
    /// See ``latencyP50``.
    public var latencyP90: Int?
    /// See ``latencyP50``.
    public var latencyP99: Int?
    /// See ``latencyP50``.
    public var latencyMax: Int?
    /// Operations that failed in the interval.
    public var errors = 0
    /// Operations dropped since the start.
    public var dropped = 0
    /// Resident memory at the end of the interval.
    public var residentBytes: Int?
    /// Memory in use on the heap at the end of the interval.
    public var heapBytes: Int?
    /// The part of the heap that holds the harness's ledgers, with which it proves afterwards that nothing was lost.
    public var ledgerBytes = 0
    /// The log's size at the end of the interval.
    public var logBytes: Int?
    /// The database's size at the end of the interval.
    public var databaseBytes: Int?
    /// The times of the interval's operations, if other processes do a part of the load: percentiles do not add up.
    var figures: OperationFigures?

    /// Operations per second in the interval.
    public var throughput: Double { intervalSeconds > 0 ? Double(operations) / intervalSeconds : 0 }
}
