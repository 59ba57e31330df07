import Foundation

/// A driver of a store that can be benchmarked.
///
/// To run the scenarios on any store, conform to this protocol and to ``StoreSession`` with its capabilities, and pass
/// an instance to the command's entry point. A driver only does the work; the harness holds the clock, determines the
/// expected outcome and verifies it.
public protocol StoreDriver: Sendable {
    /// The driver's name on the command line and in results, such as `managed`.
    var name: String { get }
    /// One line for `bench list`.
    var summary: String { get }
    /// Facts for the manifest: library versions, `baseline_revision`.
    var properties: [String: String] { get }
    /// Returns why the driver cannot do `phase` on `entity`, for the results; nil if it can. It need not mention
    /// capabilities that its sessions lack.
    func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String?
    /// Returns the same for a scenario with several entities, of which `others` are those that the phase is not about.
    func unsupportedReason(for phase: Phase, entity: EntitySpec, others: [EntitySpec]) -> String?
    /// What its sessions can do beyond the protocols, for phases of kind `custom`.
    var operations: [StoreOperation] { get }
    /// The type of its sessions, or a type with the same capabilities. Phases that need other capabilities are
    /// unsupported.
    var sessionType: any StoreSession.Type { get }
    /// Whether its stores can hold records of several entities, of which a phase is about one
    /// (``StoreConfiguration/others``). If not, the phases of a scenario with several entities are unsupported.
    var holdsSeveralEntities: Bool { get }
    /// Whether its stores can hold records of entities that inherit from another (``EntitySpec/subentities``). If not,
    /// the phases of a scenario with subentities are unsupported.
    var holdsSubentities: Bool { get }
    /// The server with the driver's stores; nil if they are files in their folders. Then the harness makes the initial
    /// state of a phase by copying files.
    var server: (any StoreServer)? { get }
    /// Opens the store in `configuration.directory`, and creates it if the directory is empty. A store on a server is
    /// the one that is named after the directory.
    func open(_ configuration: StoreConfiguration) throws -> any StoreSession
    /// Returns what gives records of the store in `configuration.directory` values that the driver has not seen; nil if
    /// nothing can. Then the manifest says so.
    func planter(of configuration: StoreConfiguration) -> (any StorePlanter)?
    /// Returns the reader of the store in `configuration.directory` that verifies what the driver's sessions wrote. If
    /// it is nil, the sessions read their own stores for the verification, and the manifest says so.
    ///
    /// The harness calls it in a process where no session is open, and in one where a session is.
    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)?
    /// Makes stores that are copies of existing files, for phases that start from one; nil if it cannot. The driver
    /// then has an inspector, which tells what a copy holds.
    var adopter: (any StoreAdopter)? { get }
    /// Reads files for `bench describe`, also those that the driver did not write; nil if it cannot.
    var surveyor: (any StoreSurveyor)? { get }
}

extension StoreDriver {
    /// Returns nil: the driver supports everything, unless it overrides this default.
    public func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? { nil }
    /// Returns what ``unsupportedReason(for:entity:)`` does, unless the driver overrides this default.
    public func unsupportedReason(for phase: Phase, entity: EntitySpec, others: [EntitySpec]) -> String? {
        unsupportedReason(for: phase, entity: entity)
    }
    /// Returns nil: no values can be planted, unless the driver overrides this default.
    public func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? { nil }
    /// Returns nil: the sessions read their own stores, unless the driver overrides this default.
    public func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? { nil }
    /// False: its stores hold records of one entity, and their owners, unless the driver overrides this default.
    public var holdsSeveralEntities: Bool { false }
    /// False: no entity inherits from another, unless the driver overrides this default.
    public var holdsSubentities: Bool { false }
    /// Nil: the stores are files, unless the driver overrides this default.
    public var server: (any StoreServer)? { nil }
    /// Nil: no store is a copy of a file, unless the driver overrides this default.
    public var adopter: (any StoreAdopter)? { nil }
    /// Nil, unless the driver overrides this default.
    public var surveyor: (any StoreSurveyor)? { nil }
    /// No operations, unless the driver overrides this default.
    public var operations: [StoreOperation] { [] }
    /// No properties, unless the driver overrides this default.
    public var properties: [String: String] { [:] }
}

/// The location and settings of a store.
public struct StoreConfiguration: Sendable {
    /// The store's own directory. The harness restores the initial state of a phase by replacing its content while no
    /// session is open, so the store must keep all its files in it.
    public var directory: URL
    /// The entity that the work of the session is about.
    public var entity: EntitySpec
    /// The other entities of the scenario; empty if it has only one, the default. A session seeds the records of all:
    /// ``EntitySpec/records`` has the number of those of the others, and ``EntitySpec/toOnes`` what they lead to. The
    /// number of a record is its ordinal plus 1.
    public var others: [EntitySpec]
    /// The settings of the store.
    public var options: StoreOptions
    /// Makes the values of the record with a given ordinal.
    public var records: RecordGenerator
    /// Whether the store is a copy of a file, which ``StoreDriver/adopter`` made. Then it may hold entities that the
    /// scenario does not know; those that inherit from ``entity`` are among its records.
    public var isCopy = false

    /// Creates a configuration.
    public init(
        directory: URL, entity: EntitySpec, others: [EntitySpec] = [], options: StoreOptions, records: RecordGenerator
    ) {
        self.directory = directory
        self.entity = entity
        self.others = others
        self.options = options
        self.records = records
    }
}
