/// The figures of one phase of one repetition of one driver: a row of the CSV. Nil means missing, which is not 0.
///
/// A row is made at once of its parts, each of which is complete when it is measured. The properties of the parts are
/// those of the row.
@dynamicMemberLookup
public struct ResultRow: Sendable, Equatable {
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

    var identity = Identity()
    package var outcome = Outcome()
    package var work = Work()
    var outsideClock = OutsideClock()
    var asynchrony = Asynchrony()
    var usage = Usage()
    var machine = Machine()
    var load = Load()

    /// Returns a property of a part.
    public subscript<Value>(dynamicMember path: KeyPath<Identity, Value>) -> Value { identity[keyPath: path] }
    /// Returns a property of a part.
    public subscript<Value>(dynamicMember path: KeyPath<Outcome, Value>) -> Value { outcome[keyPath: path] }
    /// Returns a property of a part.
    public subscript<Value>(dynamicMember path: KeyPath<Work, Value>) -> Value { work[keyPath: path] }
    subscript<Value>(dynamicMember path: KeyPath<OutsideClock, Value>) -> Value { outsideClock[keyPath: path] }
    subscript<Value>(dynamicMember path: KeyPath<Asynchrony, Value>) -> Value { asynchrony[keyPath: path] }
    /// Returns a property of a part.
    public subscript<Value>(dynamicMember path: KeyPath<Usage, Value>) -> Value { usage[keyPath: path] }
    /// Returns a property of a part.
    public subscript<Value>(dynamicMember path: KeyPath<Machine, Value>) -> Value { machine[keyPath: path] }
    /// Returns a property of a part.
    public subscript<Value>(dynamicMember path: KeyPath<Load, Value>) -> Value { load[keyPath: path] }
}

/// A flat encoding, which programs of other versions read.
extension ResultRow: Codable {
    /// Encodes the row.
    public func encode(to encoder: any Encoder) throws {
        let parts: [any Encodable] = [identity, outcome, work, outsideClock, asynchrony, usage, machine, load]
        for part in parts { try part.encode(to: encoder) }
    }

    /// Decodes a row.
    public init(from decoder: any Decoder) throws {
        try self.init(
            identity: Identity(from: decoder), outcome: Outcome(from: decoder), work: Work(from: decoder),
            outsideClock: OutsideClock(from: decoder), asynchrony: Asynchrony(from: decoder),
            usage: Usage(from: decoder), machine: Machine(from: decoder), load: Load(from: decoder))
    }
}

extension ResultRow {
    /// The requested rate, formatted for people.
    public var rateText: String { load.ratePerSecond.map { Figure.rate($0) } ?? "" }

    /// Whether a load drifted.
    public var drifts: Bool { LoadDrift.isFound(in: load.drift) }

    /// The missed service levels, in words; nil if none was missed.
    public var missedLimits: String? {
        load.limits.hasPrefix(Self.missed) ? String(load.limits.dropFirst(Self.missed.count)) : nil
    }

    /// Returns the remark on a load which missed some service levels, or none.
    static func limits(missed: [String]) -> String {
        missed.isEmpty ? "met" : Self.missed + missed.joined(separator: "; ")
    }

    private static let missed = "missed: "

    /// Whether the row is that of a load, however few of its operations had an answer.
    package var isOfLoad: Bool { load.serviceP50 != nil || load.errors != nil }

    /// The number of operations of a load that had no answer, and so have no time.
    var unanswered: Int { [load.errors, load.dropped].compactMap(\.self).clampedSum }

    /// The row's name in messages.
    public var title: String { "\(identity.driver), \(identity.phase), repetition \(identity.repetition)" }

    /// The CPU time of a row that an earlier version wrote, without the column of it: that of the process alone. Nil if
    /// a part is missing, or if the clock was too coarse to see any.
    var sumOfUserAndSystem: Double? {
        guard let cpuUser = usage.cpuUser, let cpuSystem = usage.cpuSystem else { return nil }
        let sum = Double(cpuUser) + Double(cpuSystem)
        return sum > 0 ? sum : nil
    }

    /// Whether the row's figures count, in comparisons, tables, pages and histories alike: the work was done, and its
    /// outcome is correct.
    package var isEvidence: Bool { outcome.status == .ok && outcome.verified == true }
}
