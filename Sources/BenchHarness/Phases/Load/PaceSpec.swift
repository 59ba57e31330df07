/// The end of a load, and the starts of its operations.
public struct PaceSpec: Sendable, Equatable, Codable {
    /// The number of operations of all workers together; nil sets no limit, so the time ends the load.
    public var operations: Int?
    /// The seconds after which no operation begins; nil sets no limit, so the number of operations ends the load.
    public var durationSeconds: Double?
    /// The rate of starts; nil starts an operation as soon as the worker's previous one is over (a closed loop).
    public var rate: RateSpec?
    /// Seconds between the samples of the time series.
    public var sampleSeconds: Double

    /// Creates a pace.
    public init(
        operations: Int? = nil, durationSeconds: Double? = nil, rate: RateSpec? = nil, sampleSeconds: Double = 1
    ) {
        self.operations = operations
        self.durationSeconds = durationSeconds
        self.rate = rate
        self.sampleSeconds = sampleSeconds
    }
}

/// A chosen rate: an open loop, in which the intended starts of operations do not depend on the end of others.
public struct RateSpec: Sendable, Equatable, Codable {
    /// The distribution of the intervals between intended starts.
    public enum Arrivals: String, Sendable, Codable, CaseIterable {
        /// Equal intervals.
        case constant
        /// The intervals of independent users: a Poisson process.
        case poisson
    }

    /// A linear rise to the rate.
    public struct Ramp: Sendable, Equatable, Codable {
        /// The rate at its start.
        public var fromPerSecond: Double
        /// Its length in seconds.
        public var seconds: Double

        /// Creates a ramp.
        public init(fromPerSecond: Double, seconds: Double) {
            self.fromPerSecond = fromPerSecond
            self.seconds = seconds
        }
    }

    /// Operations per second, of all workers together.
    public var perSecond: Double
    /// The distribution of the intervals between intended starts.
    public var arrivals: Arrivals
    /// The rise to the rate; nil starts at the full rate.
    public var ramp: Ramp?
    /// The delay in milliseconds after which an operation is dropped instead of begun; nil drops none.
    public var dropAfterMilliseconds: Double?

    /// Creates a rate.
    public init(
        perSecond: Double, arrivals: Arrivals = .constant, ramp: Ramp? = nil, dropAfterMilliseconds: Double? = nil
    ) {
        self.perSecond = perSecond
        self.arrivals = arrivals
        self.ramp = ramp
        self.dropAfterMilliseconds = dropAfterMilliseconds
    }
}

/// A service level: the limits for operations of a kind. Times are response times, from the intended start.
public struct LimitSpec: Sendable, Equatable, Codable {
    /// The largest value of a percentile in milliseconds, by its name: `p50_ms`, `p90_ms`, `p99_ms`, `p999_ms`,
    /// `max_ms`.
    public var milliseconds: [String: Double]
    /// The largest number of operations that may fail.
    public var errors: Int?
    /// The largest number of operations that may be dropped.
    public var dropped: Int?
    /// The smallest number of operations per second.
    public var throughputPerSecond: Double?

    /// Creates a limit.
    public init(
        milliseconds: [String: Double] = [:], errors: Int? = nil, dropped: Int? = nil,
        throughputPerSecond: Double? = nil
    ) {
        self.milliseconds = milliseconds
        self.errors = errors
        self.dropped = dropped
        self.throughputPerSecond = throughputPerSecond
    }

    /// The percentiles that a limit can have, by name.
    public static let percentiles: [String: Double] = [
        "p50_ms": 50, "p90_ms": 90, "p99_ms": 99, "p999_ms": 99.9, "max_ms": 100,
    ]
}
