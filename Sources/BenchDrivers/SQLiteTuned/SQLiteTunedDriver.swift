import BenchHarness

/// The baseline's work with the optimisations that an object store on SQLite can use. It shows that the baseline is no
/// strawman.
///
/// Many rows per INSERT; rows decoded into pages of columns without allocation per row; sorting outside SQLite; one
/// statement for a run of rows that become equal, or that have consecutive keys, where the loop has one for each row.
/// Where records change one by one to different values, it does what the loop does, and so it does where it follows
/// relationships from some records alone, or deletes what belongs to records.
public struct SQLiteTunedDriver: StoreDriver {
    /// Creates the driver.
    public init() {}

    /// `sqlite-tuned`.
    public var name: String { "sqlite-tuned" }
    /// One line for `bench list`.
    public var summary: String { "bare SQLite, optimised: many rows per statement, columns, own sort" }
    /// The version of SQLite, the revision of the baseline, and the settings with which SQLite sorts.
    public var properties: [String: String] { SQLiteDriver.plainProperties }

    /// Returns a reason only for what plain structs cannot hold.
    public func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        RecordTypes.unsupportedReason(for: phase, in: schema)
    }

    /// Each entity has a table of its own, which holds the records of those that inherit from it too.
    public func obstacle(to feature: Schema.Feature) -> String? { nil }

    /// The sessions have all capabilities except observing the saves of a load: bare SQLite sends no notification of a
    /// save.
    public var sessionType: any StoreSession.Type { SQLSession<RecordFile, TunedTechnique<FieldRecord>>.self }

    /// Writes by SQL, through a connection that no session has.
    public func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? {
        RecordPlanter(database: RecordFile(configuration), generator: configuration.records)
    }

    /// Opens the store file in the configuration's directory, and creates it if there is none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        try open(configuration, into: RecordTypes.type(for: configuration.entity))
    }

    /// Copies files in Core Data's layout.
    public var adopter: (any StoreAdopter)? { SQLiteDriver().adopter }

    /// Returns a reader of the driver's file.
    public func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        RecordFileInspector(configuration)
    }

    private func open<Record: SQLRecord>(
        _ configuration: StoreConfiguration, into type: Record.Type
    ) throws -> any StoreSession {
        try SQLSession<RecordFile, TunedTechnique<Record>>(configuration, in: RecordFile(configuration))
    }
}
