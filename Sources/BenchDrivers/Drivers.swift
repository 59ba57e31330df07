import BenchHarness

/// The built-in drivers of `bench`.
public enum Drivers {
    /// Every driver: those of files, their baseline first, then those of servers.
    public static var all: [any StoreDriver] {
        [
            SQLiteDriver(), SQLiteTunedDriver(), ManagedDriver(), PostgreSQLDriver(), PostgreSQLTunedDriver(),
            ManagedPostgreSQLDriver(),
        ]
    }
}
