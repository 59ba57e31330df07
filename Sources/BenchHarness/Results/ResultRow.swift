/// The figures of one phase of one repetition of one driver: a row of the CSV. Nil means missing, which is not 0.
public struct ResultRow: Sendable, Equatable, Codable {
    /// The way in which a phase ended.
    public enum Status: String, Sendable, Codable, CaseIterable {
        /// The work was done and verified.
        case ok
        /// The work, or its verification, failed; its figures do not count.
        case failed
        /// The driver cannot do the work.
        case unsupported
        /// The run was stopped.
        case interrupted
    }

    // Identity.
    var run = ""
    var scenario = ""
    /// The name of the driver.
    public internal(set) var driver = ""
    /// The name of the phase.
    public internal(set) var phase = ""
    var kind = ""
    var mode = ""
    /// The repetition's number, from 1.
    public internal(set) var repetition = 0
    /// The way in which the phase ended.
    public internal(set) var status = Status.ok
    /// Whether the outcome is correct; nil if it was not verified.
    public internal(set) var verified: Bool?
    /// Whether the store reports the settings of the scenario; nil if the driver cannot tell.
    var keepsSettings: Bool?
    /// Whether the fetch began with a cold cache; nil if that was not asked for, or cannot be told.
    package internal(set) var isCold: Bool?
    /// The error; empty if there is none.
    public internal(set) var error = ""

    // Work and time.
    var records: Int?
    var filterReach: FilterReach?
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

    // Outside the clock.
    var opening: Int?
    var preparation: Int?
    var release: Int?
    var cpuAfter: Int?

    // Asynchrony.
    var firstProgress: Int?
    var queueStall: Int?
    var queueStallControl: Int?
    var cancel: Int?

    // What the process used.
    /// All of its CPU time.
    public internal(set) var cpu: Int?
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
    var residentPeakDelta: Int?
    var residentAnonymous: Int?
    var residentFile: Int?
    var heap: Int?
    var readBytes: Int?
    var writeBytes: Int?

    // Resources and counters of the store.
    var databaseBytes: Int?
    var logBytes: Int?
    var counters = StoreCounters()

    // Activity of the rest of the machine.
    var loadAverage: Double?
    var cpuPressure: Int?
    var otherCPU: Int?
    /// The time of a fixed piece of work before or after the phase, whichever was slower.
    var calibration: Int?
    /// Whether other processes used much of the CPU meanwhile, or the machine was slower than earlier in the run; nil
    /// if the phase was too short to tell.
    public internal(set) var contaminated: Bool?

    // Figures that only loads have.
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

    init() {}
}

extension ResultRow {
    /// The requested rate, formatted for people.
    public var rateText: String { ratePerSecond.map { Figure.rate($0) } ?? "" }

    /// Whether a load drifted.
    public var drifts: Bool { LoadDrift.isFound(in: drift) }

    /// The missed service levels, in words; nil if none was missed.
    public var missedLimits: String? {
        limits.hasPrefix(Self.missed) ? String(limits.dropFirst(Self.missed.count)) : nil
    }

    /// Records the missed service levels.
    mutating func judge(missed: [String]) {
        limits = missed.isEmpty ? "met" : Self.missed + missed.joined(separator: "; ")
    }

    private static let missed = "missed: "

    /// Whether the row is that of a load, however few of its operations had an answer.
    var isOfLoad: Bool { serviceP50 != nil || errors != nil }

    /// The number of operations of a load that had no answer, and so have no time.
    var unanswered: Int { [errors, dropped].compactMap(\.self).clampedSum }

    /// The row's name in messages.
    public var title: String { "\(driver), \(phase), repetition \(repetition)" }

    /// The CPU time of a row that an earlier version wrote, without the column of it: that of the process alone. Nil if
    /// a part is missing, or if the clock was too coarse to see any.
    var sumOfUserAndSystem: Double? {
        guard let cpuUser, let cpuSystem else { return nil }
        let sum = Double(cpuUser) + Double(cpuSystem)
        return sum > 0 ? sum : nil
    }

    /// Whether the row's figures count, in comparisons, tables, pages and histories alike: the work was done, and its
    /// outcome is correct.
    var isEvidence: Bool { status == .ok && verified == true }
}
