import BenchHarness

/// The drivers of this package.
public enum PeerDrivers {
    /// Every driver.
    public static let all: [any StoreDriver] = [GRDBDriver(), GRDBFastDriver(), LMDBDriver()]
}
