/// Reads the system's counters of this process and this machine. Each platform has one implementation.
public protocol MetricProbe: Sendable {
    /// Makes the next ``sample()`` comparable: returns free memory to the system and resets the peak to the memory that
    /// is resident now. The runner calls it right before a phase, while the clock does not run.
    ///
    /// - Returns: Whether the reset of the peak succeeded; if not, the peak of the phase is unknown.
    func prepare() -> Bool
    /// Reads the counters.
    func sample() -> MetricSample
}

/// The counters at one moment. Nil means unknown, which is not 0.
public struct MetricSample: Sendable, Equatable {
    /// CPU time of this process, all of its threads, and children that it has waited for: exact, where its parts are
    /// sampled.
    public var cpuNanoseconds: Int?
    /// CPU time of the processes of a server on this machine; nil without one.
    package var serverNanoseconds: Int?
    /// CPU time of this process in user mode.
    public var cpuUserNanoseconds: Int?
    /// CPU time of this process in the kernel.
    public var cpuSystemNanoseconds: Int?
    /// Context switches because the process waited.
    public var voluntarySwitches: Int?
    /// Context switches because another thread wanted the CPU.
    public var involuntarySwitches: Int?
    /// Page faults served from memory.
    public var minorFaults: Int?
    /// Page faults served from storage.
    public var majorFaults: Int?
    /// Resident memory.
    public var residentBytes: Int?
    /// The peak of resident memory since ``MetricProbe/prepare()``.
    public var residentPeakBytes: Int?
    /// The part of resident memory that no file backs.
    public var residentAnonymousBytes: Int?
    /// The part of resident memory that files back.
    public var residentFileBytes: Int?
    /// Bytes in use on the heap.
    public var heapBytes: Int?
    /// Bytes that the process read from storage.
    public var readBytes: Int?
    /// Bytes that the process wrote to storage.
    public var writeBytes: Int?
    /// CPU time that the whole machine spent on work, this process included.
    public var machineBusyNanoseconds: Int?
    /// Time in which some runnable task of the machine waited for a CPU (`/proc/pressure/cpu`).
    public var cpuPressureNanoseconds: Int?
    /// The load average over one minute.
    public var loadAverage: Double?

    /// Creates a sample in which every counter is unknown.
    public init() {}
}
