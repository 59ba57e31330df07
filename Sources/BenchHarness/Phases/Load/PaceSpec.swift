/// When a load ends, and when its operations begin.
public struct PaceSpec: Sendable, Equatable, Codable {
    /// Operations of all workers together; nil goes on until the time is over.
    public var operations: Int?
    /// Seconds after which no operation is begun; nil goes on until the operations are done.
    public var durationSeconds: Double?
    /// When operations begin; nil means as soon as the worker's last one is over (a closed loop).
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

/// A chosen rate: an open loop, in which operations are meant to begin whether or not others are over.
public struct RateSpec: Sendable, Equatable, Codable {
    /// How intended starts follow one another.
    public enum Arrivals: String, Sendable, Codable, CaseIterable {
        /// At equal distances.
        case constant
        /// As independent users come.
        case poisson
    }

    /// A climb to the rate.
    public struct Ramp: Sendable, Equatable, Codable {
        /// Where it starts.
        public var fromPerSecond: Double
        /// How long it takes.
        public var seconds: Double

        /// Creates a ramp.
        public init(fromPerSecond: Double, seconds: Double) {
            self.fromPerSecond = fromPerSecond
            self.seconds = seconds
        }
    }

    /// Operations per second, of all workers together.
    public var perSecond: Double
    /// How intended starts follow one another.
    public var arrivals: Arrivals
    /// A climb to the rate; nil starts with it.
    public var ramp: Ramp?
    /// An operation that could not begin within so many milliseconds is dropped; nil drops none.
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

/// A service level: what operations of a kind must stay within. Times are response times, from the intended start.
public struct LimitSpec: Sendable, Equatable, Codable {
    /// Milliseconds that a percentile may reach, by its name: `p50_ms`, `p90_ms`, `p99_ms`, `p999_ms`, `max_ms`.
    public var milliseconds: [String: Double]
    /// Operations that may fail.
    public var errors: Int?
    /// Operations that may be dropped.
    public var dropped: Int?
    /// Operations per second that must be reached.
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

    /// The percentiles that can be limited, by name.
    public static let percentiles: [String: Double] = [
        "p50_ms": 50, "p90_ms": 90, "p99_ms": 99, "p999_ms": 99.9, "max_ms": 100,
    ]
}
