/// Reads the counters that the system keeps about this process and this machine. One implementation per platform.
public protocol MetricProbe: Sendable {
    /// Makes the next ``sample()`` comparable: hands free memory back to the system and sets the peak to what is
    /// resident now. Called outside the clock, right before a phase.
    ///
    /// - Returns: Whether the peak could be reset; if not, the peak of the phase is not known.
    func prepare() -> Bool
    /// What the counters say now.
    func sample() -> MetricSample
}

/// The counters at one moment. Nil is not known, which is not 0.
public struct MetricSample: Sendable, Equatable {
    /// CPU time of this process in user mode.
    public var cpuUserNanoseconds: Int?
    /// CPU time of this process in the kernel.
    public var cpuSystemNanoseconds: Int?
    /// Switches because the process waited.
    public var voluntarySwitches: Int?
    /// Switches because another thread wanted the CPU.
    public var involuntarySwitches: Int?
    /// Page faults served from memory.
    public var minorFaults: Int?
    /// Page faults served from storage.
    public var majorFaults: Int?
    /// Resident memory.
    public var residentBytes: Int?
    /// The most resident memory since ``MetricProbe/prepare()``.
    public var residentPeakBytes: Int?
    /// The part of resident memory that no file backs.
    public var residentAnonymousBytes: Int?
    /// The part of resident memory that files back.
    public var residentFileBytes: Int?
    /// Bytes in use on the heap.
    public var heapBytes: Int?
    /// Bytes that had to come from storage.
    public var readBytes: Int?
    /// Bytes that were sent to storage.
    public var writeBytes: Int?
    /// CPU time that the whole machine spent on work, this process included.
    public var machineBusyNanoseconds: Int?
    /// Time in which some runnable task of the machine waited for a CPU (`/proc/pressure/cpu`).
    public var cpuPressureNanoseconds: Int?
    /// The load average over one minute.
    public var loadAverage: Double?

    /// Creates a sample that knows nothing.
    public init() {}
}
