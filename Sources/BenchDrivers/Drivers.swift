import BenchHarness

/// The built-in drivers of `bench`.
public enum Drivers {
    /// Every driver, the baseline first.
    public static let all: [any StoreDriver] = [SQLiteDriver(), SQLiteTunedDriver(), ManagedDriver()]
}
