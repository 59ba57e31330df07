/// The parts of a row: what is measured together.
extension ResultRow {
    /// What a row is about.
    public struct Identity: Sendable, Equatable, Codable {
        var run = ""
        package var scenario = ""
        /// The name of the driver.
        public internal(set) var driver = ""
        /// The name of the phase.
        public internal(set) var phase = ""
        package var kind = ""
        package var mode = ""
        /// The repetition's number, from 1.
        public internal(set) var repetition = 0
    }

    /// How a phase ended, and what was proven of it.
    public struct Outcome: Sendable, Equatable, Codable {
        /// The way in which the phase ended.
        public internal(set) var status = Status.ok
        /// Whether the outcome is correct; nil if it was not verified.
        public internal(set) var verified: Bool?
        /// Whether the store reports the settings of the scenario; nil if the driver cannot tell.
        var keepsSettings: Bool?
        /// Whether the fetch began with a cold cache; nil if that was not asked for, or cannot be told.
        package internal(set) var isCold: Bool?
        var filterReach: FilterReach?
        /// The error; empty if there is none.
        public internal(set) var error = ""
    }

    /// How much was done, in which time, and the times of its operations.
    public struct Work: Sendable, Equatable, Codable {
        package var records: Int?
        package internal(set) var operations: Int?
        /// The duration of the work.
        public internal(set) var durationNanoseconds: Int?
        var throughput: Double?
        var latencyMin: Int?
        var latencyP50: Int?
        var latencyP90: Int?
        var latencyP99: Int?
        var latencyP999: Int?
        var latencyMax: Int?
    }

    /// What happens outside the clock.
    struct OutsideClock: Sendable, Equatable, Codable {
        var opening: Int?
        var preparation: Int?
        var release: Int?
        var cpuAfter: Int?
    }

    struct Asynchrony: Sendable, Equatable, Codable {
        var firstProgress: Int?
        var queueStall: Int?
        var queueStallControl: Int?
        var cancel: Int?
    }

    /// What the process and the store used.
    public struct Usage: Sendable, Equatable, Codable {
        /// All of its CPU time.
        public internal(set) var cpu: Int?
        /// CPU time of the server's processes on this machine.
        var cpuServer: Int?
        var cpuUser: Int?
        var cpuSystem: Int?
        var switchesVoluntary: Int?
        var switchesInvoluntary: Int?
        var faultsMinor: Int?
        var faultsMajor: Int?
        var instructions: Int?
        var allocations: Int?
        var allocatedBytes: Int?
        var residentBefore: Int?
        var residentAfter: Int?
        /// The peak of resident memory during the phase.
        public internal(set) var residentPeakBytes: Int?
        package var residentPeakDelta: Int?
        var residentAnonymous: Int?
        var residentFile: Int?
        var heap: Int?
        var readBytes: Int?
        var writeBytes: Int?
        var databaseBytes: Int?
        var logBytes: Int?
        var counters = StoreCounters()
    }

    /// Activity of the rest of the machine.
    public struct Machine: Sendable, Equatable, Codable {
        var loadAverage: Double?
        var cpuPressure: Int?
        package var otherCPU: Int?
        /// The time of a fixed piece of work before or after the phase, whichever was slower.
        package var calibration: Int?
        /// Whether other processes used much of the CPU meanwhile, or the machine was slower than earlier in the run;
        /// nil if the phase was too short to tell.
        public internal(set) var contaminated: Bool?
    }

    /// Figures that only loads have.
    public struct Load: Sendable, Equatable, Codable {
        var serviceP50: Int?
        var serviceP99: Int?
        var serviceMax: Int?
        package internal(set) var errors: Int?
        var missing: Int?
        var retries: Int?
        package internal(set) var ratePerSecond: Double?
        var late: Int?
        package internal(set) var dropped: Int?
        var scheduleLagMax: Int?
        var mergeP50: Int?
        var mergeP99: Int?
        var mergeMax: Int?
        var delegateP50: Int?
        var delegateP99: Int?
        var delegateMax: Int?
        /// `met`, or the missed service levels; empty if the scenario has none.
        public internal(set) var limits = ""
        /// The figures of a load that drifted in the wrong direction; `none`, or why that is unknown.
        public internal(set) var drift = ""
    }
}
