import BenchHarness

/// The drivers that `bench` comes with.
public enum Drivers {
    /// Every driver, the baseline first.
    public static let all: [any StoreDriver] = [SQLiteDriver(), SQLiteTunedDriver(), ManagedDriver()]
}
