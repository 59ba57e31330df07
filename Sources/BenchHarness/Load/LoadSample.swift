/// What a load was like in one interval of time.
public struct LoadSample: Sendable, Codable, Equatable {
    /// The end of the interval, in seconds from the start of the load.
    public var seconds = 0.0
    /// The interval's length.
    public var intervalSeconds = 0.0
    /// Operations done in it.
    public var operations = 0
    /// Response times in it, in nanoseconds; nil where nothing was done.
    public var latencyP50: Int?
    /// See ``latencyP50``.
    public var latencyP90: Int?
    /// See ``latencyP50``.
    public var latencyP99: Int?
    /// See ``latencyP50``.
    public var latencyMax: Int?
    /// Operations that failed in it.
    public var errors = 0
    /// Operations dropped since the start.
    public var dropped = 0
    /// Resident memory at its end.
    public var residentBytes: Int?
    /// Memory in use on the heap at its end.
    public var heapBytes: Int?
    /// Of that, what the harness keeps to prove afterwards that nothing was lost.
    public var ledgerBytes = 0
    /// The log's size at its end.
    public var logBytes: Int?
    /// The database's size at its end.
    public var databaseBytes: Int?

    /// Operations per second in the interval.
    public var throughput: Double { intervalSeconds > 0 ? Double(operations) / intervalSeconds : 0 }
}
