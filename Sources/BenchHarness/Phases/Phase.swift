import Foundation

/// One step of a scenario: its work, and the state of the store that it starts from.
public struct Phase: Sendable, Equatable, Codable {
    /// The name, unique within the scenario; it joins results.
    public var name: String
    /// The state of the store when the clock starts.
    public var from: Origin
    /// The file of which the store is a copy, if the phase starts from one; a driver that is asked for what it does not
    /// support is told the file also if the phase goes on from such a phase. Optional, since older files lack it.
    public var file: String?
    /// The name of the entity that the work is about; nil for the first. Optional, since older files lack it.
    public var entity: String?
    /// The work of the phase.
    public var work: Work
    /// The percentage by which each metric of this phase may get worse in a comparison. If this is nil or lacks a
    /// metric, ``Scenario/thresholdsPercent`` applies.
    public var thresholdsPercent: [String: Double]?

    /// Creates a phase.
    public init(
        name: String, from: Origin, work: Work, thresholdsPercent: [String: Double]? = nil, file: String? = nil,
        entity: String? = nil
    ) {
        self.name = name
        self.from = from
        self.file = file
        self.entity = entity
        self.work = work
        self.thresholdsPercent = thresholdsPercent
    }

    /// The state of the store that a phase starts from.
    public enum Origin: String, Sendable, Codable, CaseIterable {
        /// A store without records.
        case empty
        /// A new copy of the store with the scenario's records.
        case seeded
        /// The state that the previous phase left.
        case previous
        /// A new copy of an existing file, ``Phase/file``.
        case file

        /// The states that have a name in a scenario.
        static let named: [Origin] = [.empty, .seeded, .previous]

        /// Whether the store is closed before the phase, and has records.
        var isCopy: Bool { self == .seeded || self == .file }
    }

    /// The kind as in the scenario file and the CSV.
    public var kind: String { work.content.kind.name }

    /// The mode as in the scenario file and the CSV; empty for kinds without modes.
    public var mode: String { work.content.modeName }

    /// The condition of the records that the phase is about; nil for all, and for a kind without conditions.
    public var filter: FilterSpec? { work.content.filter }

    /// The changes of the phase to attributes of records; empty for a kind that makes none, and for a load, whose
    /// ``LoadWork/saves`` have theirs.
    public var changes: [AttributeChange] { work.content.changes }

    /// The first attribute that the phase sets to null, which not every driver can represent; nil if there is none.
    public var attributeSetToMissing: String? {
        changes.first { $0.operation == .assign(.null) }?.attribute
    }

    /// The first attribute that the phase sets to a text with a zero byte, which not every store can hold; nil if there
    /// is none.
    public var attributeSetToZeroByte: String? {
        changes.first { change in
            guard case .assign(.string(let text)) = change.operation else { return false }
            return text.utf8.contains(0)
        }?.attribute
    }

    /// Whether the store is a seeded one after this phase.
    var makesSeededStore: Bool { work.content.seedsStore && from == .empty }

    /// The names of the protocols that a driver's sessions must conform to for the phase.
    public var capabilities: [String] { work.content.capabilities.map(\.name) }

    /// Returns why `driver` cannot do the phase, which is about the focus of `schema`: the driver's own reason, a
    /// capability that its sessions lack, an operation that it does not declare, or caches out of reach. Returns nil if
    /// it can.
    public func reasonUnsupported(by driver: any StoreDriver, in schema: Schema) -> String? {
        if let reason = driver.unsupportedReason(for: self, in: schema) { return reason }
        if let reason = work.content.mismatch(with: driver) { return reason }
        if work.content.startsCold, driver.server != nil {
            return "the caches of its server cannot be emptied, so that nothing starts cold"
        }
        let missing = work.content.capabilities.first { !$0.isOffered(driver.sessionType) }
        return missing.map { "\($0.lack): its sessions do not conform to \($0.name)" }
    }
}

extension Scenario {
    /// Returns why `driver` cannot do the phase at an index: the phase's own reason, or that it goes on from an
    /// operation whose changes only the driver knows, or from a file that the driver cannot copy. Returns nil if it
    /// can.
    public func reasonUnsupported(at index: Int, by driver: any StoreDriver) -> String? {
        let schema = schema(of: phases[index])
        for feature in schema.features {
            if let obstacle = driver.obstacle(to: feature) { return obstacle }
        }
        let start = phases[...index].last { $0.from != .previous }
        if start?.from == .file, driver.adopter == nil { return "its stores cannot be copies of a file" }
        var phase = phases[index]
        phase.file = start?.file
        if let reason = phase.reasonUnsupported(by: driver, in: schema) { return reason }
        var index = index
        while phases[index].from == .previous, index > 0 {
            index -= 1
            guard phases[index].work.content.changesStoreAlone(in: driver) else { continue }
            return "it goes on from \(phases[index].name), whose changes only the driver knows; expected from seeded"
        }
        return nil
    }
}
