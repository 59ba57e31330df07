import BenchHarness

/// Opens stores whose sessions have every capability, made of nothing but what the libraries for drivers offer: Swift's
/// own collections, and one file to which each save is appended.
///
/// It proves that a driver needs no symbol that is not public. `.ci/writing-a-driver` compiles it in another package,
/// and the tests run the whole conformance suite on it.
public struct MemoryDriver: StoreDriver {
    /// Creates the driver.
    public init() {}

    /// `memory`.
    public var name: String { "memory" }
    /// One line for `bench list`.
    public var summary: String { "records in memory, each save appended to a file" }
    /// A dictionary for each entity; where some inherit from it, the entity of a record is one of its values.
    public func obstacle(to feature: Schema.Feature) -> String? { nil }
    /// Sessions do everything.
    public var sessionType: any StoreSession.Type { MemorySession.self }

    /// Opens the store in the configuration's directory, creating it when there is none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        try MemorySession(configuration)
    }

    /// Reads the files, not the memory that sessions share.
    public func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        MemoryInspector(configuration)
    }
}
