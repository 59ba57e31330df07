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
    /// Returns why the driver's stores cannot have a feature of a scenario's entities; nil if they can. If they cannot,
    /// all phases of such a scenario are unsupported.
    func obstacle(to feature: Schema.Feature) -> String?
    /// Returns why the driver cannot do `phase`, which is about the focus of `schema`, for the results; nil if it can.
    /// It need not mention capabilities that its sessions lack, nor features that its stores do.
    func unsupportedReason(for phase: Phase, in schema: Schema) -> String?
    /// What its sessions can do beyond the protocols, for phases of kind `custom`.
    var operations: [StoreOperation] { get }
    /// The type of its sessions, or a type with the same capabilities. Phases that need other capabilities are
    /// unsupported.
    var sessionType: any StoreSession.Type { get }
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
    /// Returns a reason for every feature: its stores hold records of one entity, unless the driver overrides this
    /// default.
    public func obstacle(to feature: Schema.Feature) -> String? { feature.lack }
    /// Returns nil: the driver supports everything, unless it overrides this default.
    public func unsupportedReason(for phase: Phase, in schema: Schema) -> String? { nil }
    /// Returns nil: no values can be planted, unless the driver overrides this default.
    public func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? { nil }
    /// Returns nil: the sessions read their own stores, unless the driver overrides this default.
    public func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? { nil }
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
    /// The entities of the store; the work of the session is about the focus. A session seeds the records of all:
    /// ``Schema/Entity/count`` has the number of those of the others, and ``Schema/Entity/relationships`` what they
    /// lead to. The number of a record is its ordinal plus 1.
    public var schema: Schema
    /// The settings of the store.
    public var options: StoreOptions
    /// Makes the values of the record with a given ordinal.
    public var records: RecordGenerator
    /// Whether the store is a copy of a file, which ``StoreDriver/adopter`` made. Then it may hold entities that the
    /// scenario does not know; those that inherit from ``entity`` are among its records.
    public var isCopy = false

    /// Creates a configuration.
    public init(directory: URL, schema: Schema, options: StoreOptions, records: RecordGenerator) {
        self.directory = directory
        self.schema = schema
        self.options = options
        self.records = records
    }

    /// Creates a configuration for a scenario with one entity.
    public init(directory: URL, entity: EntitySpec, options: StoreOptions, records: RecordGenerator) {
        self.init(directory: directory, schema: Schema(entity), options: options, records: records)
    }

    /// The values of the records that the work of the session is about.
    public var entity: EntitySpec { schema.entity.record }

    /// Returns what makes the values of the records of another entity.
    public func generator(of place: Int) -> RecordGenerator {
        if place == schema.focus { return records }
        return records.sibling(schema.entities[place].record)
    }
}
