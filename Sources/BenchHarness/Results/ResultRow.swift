/// What one phase of one repetition of one driver came to: a row of the CSV. Nil is missing, which is not 0.
public struct ResultRow: Sendable, Equatable, Codable {
    /// How a phase ended.
    public enum Status: String, Sendable, Codable, CaseIterable {
        /// The work was done and verified.
        case ok
        /// The work, or its verification, failed; its figures count for nothing.
        case failed
        /// The driver cannot do this.
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
    /// From 1.
    public internal(set) var repetition = 0
    /// How it ended.
    public internal(set) var status = Status.ok
    /// Whether the store did it right; nil when it was not verified.
    public internal(set) var verified: Bool?
    /// What was wrong; empty when nothing was.
    public internal(set) var error = ""

    // Work and time.
    var records: Int?
    package internal(set) var operations: Int?
    /// How long the work took.
    public internal(set) var durationNanoseconds: Int?
    var throughput: Double?
    var latencyMin: Int?
    var latencyP50: Int?
    var latencyP90: Int?
    var latencyP99: Int?
    var latencyP999: Int?
    var latencyMax: Int?

    // Asynchrony.
    var firstProgress: Int?
    var queueStall: Int?
    var queueStallControl: Int?
    var cancel: Int?

    // What the process used.
    var cpuUser: Int?
    var cpuSystem: Int?
    var switchesVoluntary: Int?
    var switchesInvoluntary: Int?
    var faultsMinor: Int?
    var faultsMajor: Int?
    var residentBefore: Int?
    var residentAfter: Int?
    /// The most resident memory during the phase.
    public internal(set) var residentPeakBytes: Int?
    var residentPeakDelta: Int?
    var residentAnonymous: Int?
    var residentFile: Int?
    var heap: Int?
    var readBytes: Int?
    var writeBytes: Int?

    // What the store used and did.
    var databaseBytes: Int?
    var logBytes: Int?
    var counters = StoreCounters()

    // What else the machine did.
    var loadAverage: Double?
    var cpuPressure: Int?
    var otherCPU: Int?
    /// Whether others used much of the CPU meanwhile; nil when the phase was too short to tell.
    public internal(set) var contaminated: Bool?

    // What only loads have.
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
    /// `met`, or which service levels were missed; empty where the scenario has none.
    public internal(set) var limits = ""
    /// Which figures of a load went the wrong way while it lasted; `none`, or why that is unknown.
    public internal(set) var drift = ""

    init() {}
}

extension ResultRow {
    /// The rate that was asked for, for people.
    public var rateText: String { ratePerSecond.map { Figure.rate($0) } ?? "" }

    /// Whether a load did not go on as it began.
    public var drifts: Bool { LoadDrift.isFound(in: drift) }

    /// Which service levels were missed, in words; nil when none was.
    public var missedLimits: String? {
        limits.hasPrefix(Self.missed) ? String(limits.dropFirst(Self.missed.count)) : nil
    }

    /// Writes down which service levels were missed.
    mutating func judge(missed: [String]) {
        limits = missed.isEmpty ? "met" : Self.missed + missed.joined(separator: "; ")
    }

    private static let missed = "missed: "

    /// Whose row it is, for messages.
    public var title: String { "\(driver), \(phase), repetition \(repetition)" }

    /// Whether its figures count, in comparisons, tables, pages and histories alike: the work was done, and found to be
    /// right.
    var isEvidence: Bool { status == .ok && verified == true }
}
