/// The instruments that measure a phase. They are injected, so that the runner's tests can replace them.
public struct Instruments: Sendable {
    /// Times the phase and its operations.
    public var clock: any NanosecondClock
    /// Counts the resources that the phase uses.
    public var probe: any MetricProbe
    /// Watches the session's queue.
    public var stalls: any StallProbe
    /// Does a fixed piece of work and returns its time in nanoseconds, which shows the speed of the machine; nil if it
    /// is unknown. Nil leaves the calibration out.
    var calibrate: (@Sendable () -> Int?)?
    /// Prepares to count the instructions of a phase; nil if the system cannot. Nil leaves them out.
    var counter: (@Sendable () -> (any InstructionCounter)?)?
    /// Returns the allocations of the process so far; nil if nothing counts them. Nil leaves them out.
    var allocations: (@Sendable () -> AllocationCount?)?

    /// Creates a set of instruments.
    public init(clock: any NanosecondClock, probe: any MetricProbe, stalls: any StallProbe) {
        self.clock = clock
        self.probe = probe
        self.stalls = stalls
    }

    /// The instruments of this platform.
    public static var platform: Instruments {
        let clock = MonotonicClock()
        var instruments = Instruments(clock: clock, probe: platformProbe, stalls: Heartbeat(clock: clock))
        instruments.calibrate = { Calibration.measure(clock) }
        instruments.allocations = AllocationCount.now
        #if os(Linux)
            instruments.counter = { EventCount(.instructions) }
        #endif
        return instruments
    }

    private static var platformProbe: any MetricProbe {
        #if os(Linux)
            LinuxMetricProbe()
        #else
            MissingProbe()
        #endif
    }
}

/// A probe that knows nothing: for platforms without an implementation.
public struct MissingProbe: MetricProbe {
    /// Creates a probe.
    public init() {}
    /// The peak cannot be reset.
    public func prepare() -> Bool { false }
    /// Nothing is known.
    public func sample() -> MetricSample { MetricSample() }
}
