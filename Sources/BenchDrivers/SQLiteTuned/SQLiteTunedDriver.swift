import BenchHarness

/// The baseline's work with every trick that an object store on SQLite can use: what shows that the baseline is no
/// strawman.
///
/// Many rows an INSERT; rows decoded into pages of columns, nothing allocated per row; sorting outside SQLite; one
/// statement for a run of rows that become equal; lists of keys where the loop asks for one row at a time.
public struct SQLiteTunedDriver: StoreDriver {
    /// Creates the driver.
    public init() {}

    /// `sqlite-tuned`.
    public var name: String { "sqlite-tuned" }
    /// One line for `bench list`.
    public var summary: String { "bare SQLite with every trick: many rows a statement, columns, own sort" }
    /// The SQLite that runs, and the revision of the baseline.
    public var properties: [String: String] { SQLiteDriver.libraryProperties }

    /// Nil but for what plain structs cannot hold.
    public func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        PlainRecords.unsupportedReason(for: phase, entity: entity)
    }

    /// Sessions do all but watch the saves of a load: bare SQLite tells no one of a save.
    public var sessionType: any StoreSession.Type { PlainSession<TunedTechnique<FieldRecord>>.self }

    /// Opens the store file in the configuration's directory, creating it when there is none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        try open(configuration, into: PlainRecords.type(for: configuration.entity))
    }

    private func open<Record: PlainRecord>(
        _ configuration: StoreConfiguration, into type: Record.Type
    ) throws -> any StoreSession {
        try PlainSession<TunedTechnique<Record>>(configuration)
    }
}
