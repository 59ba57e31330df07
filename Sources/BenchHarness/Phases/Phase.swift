import Foundation

/// One step of a scenario: what it does, and the state of the store that it starts from.
public struct Phase: Sendable, Equatable, Codable {
    /// Unique within the scenario; the key by which results are joined.
    public var name: String
    /// The state of the store when the clock starts.
    public var from: Origin
    /// What is done.
    public var work: Work
    /// By how many percent a metric of this phase may get worse in a comparison; nil and what it leaves out is left to
    /// ``Scenario/thresholdsPercent``.
    public var thresholdsPercent: [String: Double]?

    /// Creates a phase.
    public init(name: String, from: Origin, work: Work, thresholdsPercent: [String: Double]? = nil) {
        self.name = name
        self.from = from
        self.work = work
        self.thresholdsPercent = thresholdsPercent
    }

    /// The state of the store that a phase starts from.
    public enum Origin: String, Sendable, Codable, CaseIterable {
        /// A store without records.
        case empty
        /// A fresh copy of the store with the scenario's records in it.
        case seeded
        /// What the phase before left.
        case previous
    }

    /// What a phase does: the works that there are.
    ///
    /// What the harness knows of each of them stands with its type, in a folder of its own; nothing else tells them
    /// apart.
    public enum Work: Sendable, Equatable, Codable {
        /// Creates records.
        case seed(SeedWork)
        /// Fetches records.
        case fetch(FetchWork)
        /// Changes records.
        case update(UpdateWork)
        /// Saves from several contexts at once, by a plan, and merges in another.
        case merge(MergeWork)
        /// Operations of several workers at once, at a chosen rate or as fast as they go.
        case load(LoadWork)
        /// Writes the log back into the database.
        case checkpoint

        /// The work as what the harness reads, scales, runs and judges.
        var content: any PhaseWork {
            switch self {
            case .seed(let work): work
            case .fetch(let work): work
            case .update(let work): work
            case .merge(let work): work
            case .load(let work): work
            case .checkpoint: CheckpointWork()
            }
        }
    }

    /// The kind as the scenario file and the CSV spell it.
    public var kind: String { work.content.kind.name }

    /// The mode as the scenario file and the CSV spell it, empty for kinds without modes.
    public var mode: String { work.content.modeName }

    /// The first attribute that the phase sets to nothing, which not every driver has a place for; nil if there is
    /// none.
    public var attributeSetToMissing: String? {
        work.content.changes.first { $0.operation == .assign(.null) }?.attribute
    }

    /// The protocols that a driver's sessions must conform to for the phase, by their names.
    public var capabilities: [String] { work.content.capabilities.map(\.name) }

    /// Why `driver` cannot do the phase on `entity`: it says so itself, or its sessions lack a capability. Nil when it
    /// can.
    public func reasonUnsupported(by driver: any StoreDriver, entity: EntitySpec) -> String? {
        if let reason = driver.unsupportedReason(for: self, entity: entity) { return reason }
        let missing = work.content.capabilities.first { !$0.isOffered(driver.sessionType) }
        return missing.map { "\($0.lack): its sessions do not conform to \($0.name)" }
    }
}
