import Foundation

/// A store that can be benchmarked.
///
/// Conform to this protocol and to ``StoreSession`` with its capabilities, and hand an instance to the command's entry
/// point to put any store through the same scenarios. A driver only does the work; the harness holds the clock, decides
/// what must have happened and checks it.
public protocol StoreDriver: Sendable {
    /// How the driver is called on the command line and in results, such as `managed`.
    var name: String { get }
    /// One line for `bench list`.
    var summary: String { get }
    /// Facts for the manifest: library versions, `baseline_revision`.
    var properties: [String: String] { get }
    /// Nil when the driver can do `phase` on `entity`; otherwise why it cannot, which is reported. What its sessions
    /// have no capability for need not be said here.
    func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String?
    /// The type of the sessions that it opens, or one that has the same capabilities. What it does not conform to is
    /// unsupported.
    var sessionType: any StoreSession.Type { get }
    /// Opens the store in `configuration.directory`, creating it when the directory is empty.
    func open(_ configuration: StoreConfiguration) throws -> any StoreSession
}

extension StoreDriver {
    /// Everything is supported unless a driver says otherwise.
    public func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? { nil }
    /// No properties unless a driver says otherwise.
    public var properties: [String: String] { [:] }
}

/// Where and how to open a store.
public struct StoreConfiguration: Sendable {
    /// The store's own directory. The harness restores a phase's starting state by replacing its content while no
    /// session is open, so all that the store keeps must lie in it.
    public var directory: URL
    /// The entity of the scenario.
    public var entity: EntitySpec
    /// The settings to open with.
    public var options: StoreOptions
    /// Makes the values of the record with a given ordinal.
    public var records: RecordGenerator

    /// Creates a configuration.
    public init(directory: URL, entity: EntitySpec, options: StoreOptions, records: RecordGenerator) {
        self.directory = directory
        self.entity = entity
        self.options = options
        self.records = records
    }
}
